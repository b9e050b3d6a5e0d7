import { defineConfig } from 'vitest/config';
import { markdown } from './tests/support/markdown-plugin.ts';

/** Tests that start, kill and restart whole processes, each on ports of its own: two files at a time, since part of each is waiting. */
export default defineConfig({
  plugins: [markdown()],
  test: {
    name: 'system',
    include: ['tests/system/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
