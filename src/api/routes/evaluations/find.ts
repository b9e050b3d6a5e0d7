import type { Context } from 'hono';
import type { ApiEnv } from '../../context.ts';
import { ownedObject } from '../../owned.ts';
import { unwrap } from '../../problem.ts';
import type { EvaluationService } from '../../services.ts';
import { requireForPrivate } from '../benchmarks/find.ts';

/** The evaluation with this id in the caller's workspace. */
export const findEvaluation = async (c: Context<ApiEnv>, id: string): Promise<EvaluationService> =>
  c.var.services.evaluation(await ownedObject(c, 'evaluation', id));

/** The same, for whatever shows single units, their chains or their tools: where private units are among them, the caller needs `admin`. */
export async function findWithUnits(c: Context<ApiEnv>, id: string): Promise<EvaluationService> {
  const run = await findEvaluation(c, id);
  requireForPrivate(c, unwrap(await run.get()).config.split);
  return run;
}
