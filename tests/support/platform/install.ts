import { env } from 'cloudflare:workers';
import { watchBindings } from './watched-bindings.ts';
import { watchFetch } from './watched-fetch.ts';
import { watchObject } from './watched-object.ts';
import { watchStreams } from './watched-streams.ts';
import { watchWorkflow } from './watched-workflow.ts';

/** Applies the platform's rules to a Worker's classes, for the lifetime of its isolate. */
export function watchPlatform(classes: Readonly<Record<string, unknown>>): void {
  watchFetch();
  watchStreams();
  watchBindings(env);
  for (const [name, exported] of Object.entries(classes)) {
    if (typeof exported !== 'function' || !('prototype' in exported)) continue;
    const { prototype } = exported;
    if (typeof prototype !== 'object' || prototype === null) continue;
    if ('run' in prototype) watchWorkflow(name, prototype);
    else watchObject(name, prototype);
  }
}
