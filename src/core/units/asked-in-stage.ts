import type { Asked } from '#core/models/breaker.ts';
import type { StageResult } from './progress.ts';

/** Returns which role's model was asked in a stage, and what resulted; null for stages without a model of the run. */
export function askedRoleAndFaultOfStageOrNull(result: StageResult): Asked | null {
  switch (result.kind) {
    case 'grounding':
      return null;
    case 'execution':
      return { by: 'the agent', fault: result.fault };
    default: {
      const { answer, kind } = result;
      return {
        by: kind === 'audit' || kind === 'quality' ? 'the critic' : 'the writer',
        fault: answer.ok || answer.reason !== 'fault' ? null : answer.fault,
      };
    }
  }
}
