import type { Context } from 'hono';
import { createEvaluationOnBasis, type EvaluationBasis } from '#core/evaluation/create-on-basis.ts';
import type { NewEvaluation } from '#core/evaluation/record.ts';
import type { ApiEnv } from './context.ts';

/** An evaluation that the service starts by itself, apart from what all of these have in common. */
type OwnEvaluation = Omit<
  NewEvaluation,
  'workspace' | 'panel' | 'offline' | 'submission' | 'rejudges' | 'tools' | 'units' | 'protocol'
>;

/** Creates an evaluation in the caller's workspace that nobody asked for as such, and lists it there. */
export async function createOwnEvaluation(
  c: Context<ApiEnv>,
  evaluation: OwnEvaluation,
  basis: EvaluationBasis,
): Promise<void> {
  const { services, caller } = c.var;
  const { id, at } = evaluation;
  await services
    .object('workspace', caller.workspace)
    .addResource('evaluation', { id, object: id, json: JSON.stringify({ createdAt: at }) });
  await createEvaluationOnBasis(
    services.object('evaluation', id),
    {
      ...evaluation,
      workspace: caller.workspace,
      panel: [],
      offline: services.settings.OFFLINE_MODELS,
      submission: null,
      rejudges: null,
    },
    basis,
  );
}
