import type { Context } from 'hono';
import type { ApiEnv } from './context.ts';
import { refusal } from './problem.ts';
import type { ObjectKind, Objects } from './services.ts';

/**
 * Returns the name of the object that holds a resource of the caller's workspace; a foreign resource looks as if it did
 * not exist.
 */
export async function requireOwnedObjectName(c: Context<ApiEnv>, kind: ObjectKind, id: string): Promise<string> {
  const found = await c.var.services.object('workspace', c.var.caller.workspace).findResource(kind, id);
  if (found === null) throw refusal('not-found', `there is no ${kind} ${id}`);
  return found.object;
}

/** Returns the object itself. */
export const requireOwnedObject = async <Kind extends ObjectKind>(
  c: Context<ApiEnv>,
  kind: Kind,
  id: string,
): Promise<Objects[Kind]> => c.var.services.object(kind, await requireOwnedObjectName(c, kind, id));
