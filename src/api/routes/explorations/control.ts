import { explorationRecord } from '#core/exploration/record.ts';
import { runControl } from '../run-control.ts';
import { runParams } from '../run-params.ts';
import { findExploration } from './find.ts';

export const explorationControl = runControl({
  resource: 'explorations',
  schema: explorationRecord.openapi('Exploration'),
  path: '/v1/explorations/{id}',
  params: runParams,
  find: (c, params) => findExploration(c, runParams.parse(params).id),
  about: {
    pause: { summary: 'Pause an exploration', description: 'Stages that are under way are finished and kept.' },
    resume: {
      summary: 'Resume a paused exploration',
      description: 'It goes on with the stage at which each unit stands.',
    },
    cancel: { summary: 'Cancel an exploration', description: 'Final. What was committed stays and can be frozen.' },
  },
});
