import { createEvaluationOnBasis, type EvaluationBasis } from '#core/evaluation/create-on-basis.ts';
import type { NewEvaluation } from '#core/evaluation/record.ts';
import type { Services } from './context.ts';

/** An evaluation that the service starts by itself, apart from what all of these have in common. */
type OwnEvaluation = Omit<
  NewEvaluation,
  'panel' | 'offline' | 'submission' | 'rejudges' | 'tools' | 'units' | 'protocol'
> &
  Partial<Pick<NewEvaluation, 'panel'>>;

/** Creates an evaluation in a workspace that nobody asked for as such, and lists it there. Repeating it with the same id continues. */
export async function createOwnEvaluation(
  services: Services,
  evaluation: OwnEvaluation,
  basis: EvaluationBasis,
): Promise<void> {
  const { id, at, workspace } = evaluation;
  await services
    .object('workspace', workspace)
    .addResource('evaluation', { id, object: id, json: JSON.stringify({ createdAt: at }) });
  await createEvaluationOnBasis(
    services.object('evaluation', id),
    {
      panel: [],
      ...evaluation,
      offline: services.settings.OFFLINE_MODELS,
      submission: null,
      rejudges: null,
    },
    basis,
  );
}
