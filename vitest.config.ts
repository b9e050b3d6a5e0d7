import { defineConfig } from 'vitest/config';
import { countsAsError, nodeProject, workersProject } from './tests/support/vitest-projects.ts';

/** `npm test`: nothing in here needs a program but Node and git. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    onUnhandledError: countsAsError,
    projects: [
      nodeProject({
        include: [
          'tests/unit/**/*.test.ts',
          'tests/offline/**/*.test.ts',
          'tests/integration/**/*.test.ts',
          'tests/client/**/*.test.ts',
        ],
        redis: 'memory',
      }),
      workersProject({ include: ['tests/workers/**/*.test.ts', 'tests/contract/**/*.test.ts'], redis: 'memory' }),
    ],
  },
});
