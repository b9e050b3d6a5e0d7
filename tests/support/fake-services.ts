import { requestTaken, type RequestCount } from '#core/request-allowance.ts';
import { settingsSchema } from '#adapters/settings.ts';
import type { Services } from '#api/context.ts';
import { workerSettings } from './worker-settings.ts';

const nobody = (): never => {
  throw new Error('this test has no such service');
};

/** Services of an API without a Worker: requests are counted, and what a test does not bring is not there. */
export function fakeServices(
  given: Partial<Services> = {},
  vars: Readonly<Record<string, string>> = {},
): Services & { readonly counted: ReadonlyMap<string, RequestCount> } {
  const counts = new Map<string, RequestCount>();
  return {
    counted: counts,
    settings: settingsSchema.parse({
      ...workerSettings({
        servers: 'http://127.0.0.1:9',
        models: 'http://127.0.0.1:9',
        indexes: 'http://127.0.0.1:9',
        redis: 'http://127.0.0.1:9',
      }),
      ...vars,
    }),
    get directory() {
      return nobody();
    },
    workspace: nobody,
    exploration: nobody,
    evaluation: nobody,
    benchmark: nobody,
    attempt: nobody,
    recording: nobody,
    knowledge: nobody,
    submission: nobody,
    leaderboard: nobody,
    requestCounter: (name) => ({
      take(limit, now) {
        const { count, allowance } = requestTaken(counts.get(name) ?? null, limit, now);
        counts.set(name, count);
        return Promise.resolve(allowance);
      },
    }),
    ...given,
  };
}
