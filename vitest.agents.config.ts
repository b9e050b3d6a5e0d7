import { defineConfig } from 'vitest/config';
import { markdown } from './tests/support/markdown-plugin.ts';
import { platformEntry } from './tests/support/platform/report.ts';

/** Tests of command-line agents that are installed beside Sextant, each at a stand-in for its model. */
export default defineConfig({
  plugins: [markdown()],
  test: {
    name: 'agents',
    include: ['tests/agents/**/*.test.ts'],
    env: { SEXTANT_ENTRY: platformEntry },
    setupFiles: './tests/support/platform/no-rule-broken.ts',
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
