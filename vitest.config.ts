import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { markdown } from './tests/support/markdown-plugin.ts';

/** Pure and Node tests take milliseconds to seconds; `workers` runs inside workerd; `system` drives whole processes. */
export default defineConfig({
  test: {
    projects: [
      {
        plugins: [markdown()],
        test: { name: 'unit', include: ['tests/unit/**/*.test.ts', 'tests/offline/**/*.test.ts', 'tests/integration/**/*.test.ts'] },
      },
    ],
  },
});
