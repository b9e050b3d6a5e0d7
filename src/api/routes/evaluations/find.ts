import type { Context } from 'hono';
import type { ApiEnv } from '../../context.ts';
import { refusal } from '../../problem.ts';
import type { EvaluationService } from '../../services.ts';

/** The evaluation with this id, if it belongs to the caller's workspace; a foreign one looks like none at all. */
export async function findEvaluation(c: Context<ApiEnv>, id: string): Promise<EvaluationService> {
  const found = await c.var.services.workspace(c.var.caller.workspace).findResource('evaluation', id);
  if (found === null) throw refusal('not-found', `there is no evaluation ${id}`);
  return c.var.services.evaluation(found.object);
}
