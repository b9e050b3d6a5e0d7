import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';
import { platformEntry } from './tests/support/platform/report.ts';
import { markdown } from './tests/support/markdown-plugin.ts';

/** Starts the demo first: it takes about as long as all other files together. */
class DemoFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isDemo = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith('/demo.test.ts');
    return files.toSorted((a, b) => Number(isDemo(b)) - Number(isDemo(a)));
  }
}

/**
 * Tests that start, kill and restart whole processes, each on ports of its own: two files at a time, since some keep a core busy.
 * Every Worker that they start is held to the platform's rules.
 */
export default defineConfig({
  plugins: [markdown()],
  test: {
    name: 'system',
    include: ['tests/system/**/*.test.ts'],
    env: { SEXTANT_ENTRY: platformEntry },
    setupFiles: './tests/support/platform/no-rule-broken.ts',
    maxWorkers: 2,
    sequence: { sequencer: DemoFirst },
    testTimeout: 900_000,
    hookTimeout: 120_000,
  },
});
