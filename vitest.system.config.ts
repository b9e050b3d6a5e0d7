import { defineConfig } from 'vitest/config';
import { platformEntry } from './tests/support/platform/report.ts';
import { markdown } from './tests/support/markdown-plugin.ts';

/**
 * Tests that start, kill and restart whole processes, each on ports of its own: one file at a time, since some keep two cores busy. Every
 * Worker that they start is held to the platform's rules.
 */
export default defineConfig({
  plugins: [markdown()],
  test: {
    name: 'system',
    include: ['tests/system/**/*.test.ts'],
    env: { SEXTANT_ENTRY: platformEntry },
    setupFiles: './tests/support/platform/no-rule-broken.ts',
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
