import type { EvaluationRecord } from '#core/evaluation/record.ts';

/** Whether an evaluation measures what knowing nothing scores, so that it says nothing about tools or agents. */
export const isFloor = ({ agents }: Pick<EvaluationRecord, 'agents'>): boolean =>
  agents.every(({ loop }) => loop === 'null');
