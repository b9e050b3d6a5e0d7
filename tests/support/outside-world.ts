import type { TestProject } from 'vitest/node';
import { startModelServer } from './model-server.ts';
import { startRedisRest } from './redis-rest.ts';
import { startServerFleet } from './server-fleet.ts';
import { startUpstashServer } from './upstash-server.ts';
import type { World } from './worker-settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    world: World;
  }
}

/** What the Worker meets outside: real servers in Node, steered over HTTP by the tests inside workerd. */
export default async function startOutsideWorld(project: TestProject): Promise<() => Promise<void>> {
  const [models, servers, indexes, redis] = await Promise.all([
    startModelServer(),
    startServerFleet(),
    startUpstashServer(),
    startRedisRest(),
  ]);
  project.provide('world', { models: models.url, servers: servers.url, indexes: indexes.url, redis: redis.url });
  return async () => {
    await Promise.all([models.close(), servers.close(), indexes.close(), redis.close()]);
  };
}
