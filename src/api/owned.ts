import type { Context } from 'hono';
import type { ResourceKind } from '#core/resources.ts';
import type { ApiEnv } from './context.ts';
import { refusal } from './problem.ts';

/** The object that holds a resource of the caller's workspace; a foreign one looks like none at all. */
export async function ownedObject(c: Context<ApiEnv>, kind: ResourceKind, id: string): Promise<string> {
  const found = await c.var.services.workspace(c.var.caller.workspace).findResource(kind, id);
  if (found === null) throw refusal('not-found', `there is no ${kind} ${id}`);
  return found.object;
}
