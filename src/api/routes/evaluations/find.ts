import type { Context } from 'hono';
import type { ApiEnv } from '../../context.ts';
import { ownedObject } from '../../owned.ts';
import type { EvaluationService } from '../../services.ts';

/** The evaluation with this id in the caller's workspace. */
export const findEvaluation = async (c: Context<ApiEnv>, id: string): Promise<EvaluationService> =>
  c.var.services.evaluation(await ownedObject(c, 'evaluation', id));
