import type { Context } from 'hono';
import type { ApiEnv } from '../../context.ts';
import { refusal } from '../../problem.ts';
import type { ExplorationService } from '../../services.ts';

/** The run with this id, if it belongs to the caller's workspace; a foreign one looks like none at all. */
export async function findExploration(c: Context<ApiEnv>, id: string): Promise<ExplorationService> {
  const found = await c.var.services.workspace(c.var.caller.workspace).findResource('exploration', id);
  if (found === null) throw refusal('not-found', `there is no exploration ${id}`);
  return c.var.services.exploration(found.object);
}
