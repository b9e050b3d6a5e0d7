import { defineConfig } from 'vitest/config';
import { countsAsError, nodeProject, workersProject } from './tests/support/vitest-projects.ts';

/** Tests of what remembers endpoints and limits as long as its module is loaded. */
const withMemory = [
  'tests/integration/**/*.test.ts',
  'tests/unit/*.test.ts',
  'tests/unit/{governor,limits,models}/**/*.test.ts',
];

/** `npm test`: nothing in here needs a program but Node and git. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    onUnhandledError: countsAsError,
    projects: [
      nodeProject({ name: 'unit with memory', include: withMemory, isolate: true, redis: 'memory' }),
      nodeProject({
        name: 'unit',
        include: ['tests/{unit,offline,client}/**/*.test.ts'],
        exclude: withMemory,
        isolate: false,
        redis: 'memory',
      }),
      workersProject({ include: ['tests/workers/**/*.test.ts', 'tests/contract/**/*.test.ts'], redis: 'memory' }),
    ],
  },
});
