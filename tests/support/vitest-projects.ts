import { cloudflareTest } from '@cloudflare/vitest-plugin';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { markdown } from './markdown-plugin.ts';
import type { RedisKind } from './redis-rest.ts';
import { workerSettings } from './worker-settings.ts';

interface ProjectOptions {
  readonly include: string[];
  readonly redis: RedisKind;
}

interface NodeProjectOptions extends ProjectOptions {
  readonly name: string;
  readonly exclude?: string[];
  /** Whether each file loads its modules for itself, which takes longer than most tests: needed where modules remember something. */
  readonly isolate: boolean;
}

/** Tests that run in Node. */
export const nodeProject = ({ redis, ...options }: NodeProjectOptions): TestProjectInlineConfiguration => ({
  plugins: [markdown()],
  test: {
    ...options,
    provide: { redis },
    // Some compute for seconds, and a machine may be busy with more than these.
    testTimeout: 30_000,
  },
});

/**
 * Returns false for one error that says nothing about the code: objects of the last file's runs may still wake when the
 * runner closes, and each looks up the Worker's module through it first. An error of a test, or of any other lookup, counts.
 */
export const countsAsError = ({ name, message }: { readonly name?: string; readonly message: string }): boolean =>
  !(name === 'EnvironmentTeardownError' && message.endsWith('Closing rpc while "resolve" was pending'));

/** Tests that run inside workerd. */
export const workersProject = ({ include, redis }: ProjectOptions): TestProjectInlineConfiguration => ({
  plugins: [
    cloudflareTest(({ inject }) => ({
      main: './tests/support/platform/worker.ts',
      wrangler: { configPath: './wrangler.toml' },
      miniflare: { bindings: workerSettings(inject('world')) },
    })),
  ],
  test: {
    name: 'workers',
    include,
    provide: { redis },
    globalSetup: './tests/support/outside-world.ts',
    setupFiles: './tests/support/platform/in-workerd.ts',
    // A Worker serves many files: starting it takes longer than most tests. They share storage, so ids are unique.
    isolate: false,
    // The first test of a Worker also loads it, which takes 20 s and more.
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
