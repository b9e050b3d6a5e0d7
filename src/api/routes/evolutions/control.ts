import { evolutionRecord } from '#core/evolution/record.ts';
import { runControl } from '../run-control.ts';
import { evolutionParams, evolutionPath, findEvolution } from './path.ts';

export const evolutionControl = runControl({
  resource: 'explorations',
  path: evolutionPath,
  params: evolutionParams,
  schema: evolutionRecord.openapi('Evolution'),
  find: (c, params) => findEvolution(c, evolutionParams.parse(params)),
  about: {
    pause: { summary: 'Pause an evolution', description: 'Stages that are under way are finished and kept.' },
    resume: {
      summary: 'Resume a paused evolution',
      description: 'It goes on with the stage at which each variant stands.',
    },
    cancel: { summary: 'Cancel an evolution', description: 'Final. The variants that were accepted stay.' },
  },
});
