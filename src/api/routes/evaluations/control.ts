import { evaluationRecord } from '#core/evaluation/record.ts';
import { runControl } from '../run-control.ts';
import { runParams } from '../run-params.ts';
import { findEvaluation } from './find.ts';

export const evaluationControl = runControl({
  resource: 'evaluations',
  schema: evaluationRecord.openapi('Evaluation'),
  path: '/v1/evaluations/{id}',
  params: runParams,
  find: (c, params) => findEvaluation(c, runParams.parse(params).id),
  about: {
    pause: { summary: 'Pause an evaluation', description: 'Stages that are under way are finished and kept.' },
    resume: {
      summary: 'Resume a paused evaluation',
      description: 'It goes on with the stage at which each case stands.',
    },
    cancel: { summary: 'Cancel an evaluation', description: 'Final. What was committed stays and is in the results.' },
  },
});
