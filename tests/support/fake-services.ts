import { admitAndCountRequest, type RequestCount } from '#core/access/request-allowance.ts';
import { hashApiKey } from '#adapters/secrets/keys.ts';
import { settingsSchema } from '#adapters/settings.ts';
import type { Services } from '#api/context.ts';
import type { DirectoryService, ObjectKind, Objects } from '#api/services.ts';
import { workerSettings } from './worker-settings.ts';

const nobody = (): never => {
  throw new Error('this test has no such service');
};

/** A test's replacements of objects, by kind. */
type Fakes = { readonly [Kind in ObjectKind]?: (name: string) => Objects[Kind] };

/** Services of an API without a Worker: requests are counted, and objects that a test does not replace are missing. */
export function fakeServices(
  given: Partial<Pick<Services, 'directory' | 'pageCache'>> & Fakes = {},
  vars: Readonly<Record<string, string>> = {},
): Services & { readonly counted: ReadonlyMap<string, RequestCount> } {
  const counts = new Map<string, RequestCount>();
  const fakes: Fakes = {
    requestCounter: (name) => ({
      admitRequest(limit, now) {
        const { count, allowance } = admitAndCountRequest(counts.get(name) ?? null, limit, now);
        counts.set(name, count);
        return Promise.resolve(allowance);
      },
    }),
    ...given,
  };
  return {
    counted: counts,
    settings: settingsSchema.parse({
      ...workerSettings({
        servers: 'http://127.0.0.1:9',
        hosts: 'http://127.0.0.1:9',
        models: 'http://127.0.0.1:9',
        indexes: 'http://127.0.0.1:9',
        redis: 'http://127.0.0.1:9',
      }),
      ...vars,
    }),
    get directory() {
      return given.directory ?? nobody();
    },
    governor: nobody,
    askForCategories: () => Promise.resolve(new Map()),
    tryModel: () => Promise.reject(new Error('no model is asked here')),
    askForWording: () => Promise.reject(new Error('no model is asked here')),
    askForServerSummary: () => Promise.resolve(null),
    runsPrograms: false,
    readPage: () => Promise.resolve(new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })),
    drawPng: () => Promise.reject(new Error('only a Worker draws pictures')),
    pageCache: given.pageCache ?? null,
    object(kind, name) {
      const fake = fakes[kind];
      return fake === undefined ? nobody() : fake(name);
    },
  };
}

/** Returns a directory with a single key, which may read. `asked` collects the hashes that are looked up. */
export async function directoryKnowing(key: string, asked: string[] = []): Promise<DirectoryService> {
  const hash = await hashApiKey(key);
  return {
    authenticate(presented) {
      asked.push(presented);
      return Promise.resolve(
        presented === hash ? { workspace: 'ws_1', key: 'key_1', scopes: ['read'] as const } : null,
      );
    },
    listRunsNeedingDriver: () => Promise.resolve([]),
    takeRunsToWake: () => Promise.resolve([]),
    addKey: nobody,
    listKeys: () => Promise.resolve([]),
    removeKey: nobody,
    addBenchmark: nobody,
    findBenchmark: () => Promise.resolve(null),
    addLeaderboard: nobody,
    setWatchDue: nobody,
    listDueWatches: () => Promise.resolve([]),
    listWorkspaceLeaderboardIds: () => Promise.resolve([]),
    hasLeaderboard: () => Promise.resolve(false),
    listLeaderboards: () => Promise.resolve([]),
  };
}
