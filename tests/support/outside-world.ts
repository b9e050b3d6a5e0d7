import type { TestProject } from 'vitest/node';
import { startHostOwner } from './host-owner.ts';
import { startModelServer } from './model-server.ts';
import { startRedisRest, type RedisKind } from './redis-rest.ts';
import { startServerFleet } from './server-fleet.ts';
import { startUpstashServer } from './upstash-server.ts';
import type { World } from './worker-settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    world: World;
    redis: RedisKind;
  }
}

interface Running {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the servers outside the Worker: real ones in Node, controlled over HTTP by the tests inside workerd. */
export default async function startOutsideWorld(project: TestProject): Promise<() => Promise<void>> {
  const running: Running[] = [];
  const close = async () => {
    await Promise.all(running.map((server) => server.close()));
  };
  const started = async (start: () => Promise<Running>): Promise<string> => {
    const server = await start();
    running.push(server);
    return server.url;
  };
  try {
    project.provide('world', {
      models: await started(startModelServer),
      servers: await started(startServerFleet),
      hosts: await started(startHostOwner),
      indexes: await started(startUpstashServer),
      redis: await started(() => startRedisRest(project.getProvidedContext().redis)),
    });
  } catch (error) {
    // A server that keeps listening would keep the process from ending.
    await close();
    throw error;
  }
  return close;
}
