import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';
import { platformEntry } from './tests/support/platform/report.ts';
import { markdown } from './tests/support/markdown-plugin.ts';

/** The files that take minutes, longest first; the others take seconds. */
const longestFirst = ['demo', 'submissions', 'kill', 'kill-evaluation', 'kill-worker', 'kill-review'].map(
  (name) => `${name}.test.ts`,
);

/** Starts the longest files first, so that none of them is left to run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = longestFirst.indexOf(basename(moduleId));
      return index < 0 ? longestFirst.length : index;
    };
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

/**
 * Tests that start, kill and restart whole processes, each on ports of its own: two files at a time, since some keep a core busy. Every Worker that they start is held to the platform's rules.
 */
export default defineConfig({
  plugins: [markdown()],
  test: {
    name: 'system',
    include: ['tests/system/**/*.test.ts'],
    env: { SEXTANT_ENTRY: platformEntry },
    setupFiles: './tests/support/platform/no-rule-broken.ts',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 900_000,
    hookTimeout: 120_000,
  },
});
