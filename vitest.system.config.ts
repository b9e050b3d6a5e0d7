import { defineConfig } from 'vitest/config';
import { markdown } from './tests/support/markdown-plugin.ts';

/** Tests that start, kill and restart whole processes. One after the other: each wants the machine for itself. */
export default defineConfig({
  plugins: [markdown()],
  test: {
    name: 'system',
    include: ['tests/system/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
