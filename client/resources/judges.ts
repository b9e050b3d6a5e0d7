import { z } from 'zod';
import type { modelChoice } from '#core/models/choices.ts';
import type { panelMember } from '#core/evaluation/config.ts';
import { judgeMeasure, type JudgeMeasure } from '#core/evaluation/judge-measure/judge-measure.ts';
import type { CostEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import type { Transport } from '../http/transport.ts';
import { dryRun } from './runs.ts';

/** The judge to measure; by default the deployment's. */
export interface JudgeToMeasure {
  readonly judge?: z.input<typeof modelChoice> | z.input<typeof panelMember> | undefined;
  /** Also if it was measured in its present version. */
  readonly again?: boolean;
}

const measures = z.object({ items: z.array(judgeMeasure) });

/** How well judges read attempts whose verdict is known. */
export const makeJudgesClient = (transport: Transport) => ({
  /** Starts to measure a judge, and returns its measure as it stands. Repeating it starts nothing twice. */
  measure: (asked: JudgeToMeasure): Promise<JudgeMeasure> =>
    transport.requestJson(judgeMeasure, {
      method: 'POST',
      path: '/v1/judges/measures',
      json: asked,
      repeatable: asked.again !== true,
    }),

  /** Returns what measuring it is expected to take; starts nothing. */
  estimate: async (asked: JudgeToMeasure): Promise<CostEstimate> => {
    const { estimate } = await transport.requestJson(dryRun, {
      method: 'POST',
      path: '/v1/judges/measures?dryRun=true',
      json: asked,
      repeatable: true,
    });
    return estimate;
  },

  list: async (): Promise<JudgeMeasure[]> => {
    const { items } = await transport.requestJson(measures, {
      method: 'GET',
      path: '/v1/judges/measures',
      repeatable: true,
    });
    return items;
  },
});
