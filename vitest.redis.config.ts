import { defineConfig } from 'vitest/config';
import { countsAsError, nodeProject, workersProject } from './tests/support/vitest-projects.ts';

/** What `npm test` checks with a Redis in memory, with a redis-server; and whether the two are alike. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    onUnhandledError: countsAsError,
    projects: [
      nodeProject({
        name: 'unit with memory',
        isolate: true,
        include: [
          'tests/redis/**/*.test.ts',
          'tests/integration/redis-ranking.test.ts',
          'tests/integration/upstash-limits.test.ts',
        ],
        redis: 'server',
      }),
      workersProject({ include: ['tests/workers/ranking-outbox.test.ts'], redis: 'server' }),
    ],
  },
});
