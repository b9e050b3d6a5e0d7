import { explorationRecord } from '#core/exploration/record.ts';
import { runControl } from '../run-control.ts';
import { findExploration } from './find.ts';

export const explorationControl = runControl({
  resource: 'explorations',
  schema: explorationRecord.openapi('Exploration'),
  find: findExploration,
  about: {
    pause: { summary: 'Pause an exploration', description: 'Stages that are under way are finished and kept.' },
    resume: {
      summary: 'Resume a paused exploration',
      description: 'It goes on with the stage at which each unit stands.',
    },
    cancel: { summary: 'Cancel an exploration', description: 'Final. What was committed stays and can be frozen.' },
  },
});
