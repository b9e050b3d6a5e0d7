import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { markdown } from './tests/support/markdown-plugin.ts';
import { workerSettings } from './tests/support/worker-settings.ts';

/** Pure and Node tests take milliseconds to seconds; `workers` runs inside workerd; `system` drives whole processes. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        plugins: [markdown()],
        test: {
          name: 'unit',
          include: [
            'tests/unit/**/*.test.ts',
            'tests/offline/**/*.test.ts',
            'tests/integration/**/*.test.ts',
            'tests/client/**/*.test.ts',
          ],
          // Some compute for seconds, and a machine may be busy with more than these.
          testTimeout: 30_000,
        },
      },
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: { bindings: workerSettings(inject('world')) },
          })),
        ],
        test: {
          name: 'workers',
          include: ['tests/workers/**/*.test.ts', 'tests/contract/**/*.test.ts'],
          globalSetup: './tests/support/outside-world.ts',
          setupFiles: './tests/support/zod-first.ts',
          // A Worker serves many files: starting it takes longer than most tests. They share storage, so ids are unique.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
