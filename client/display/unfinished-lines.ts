import type { EvaluationRecord } from '#core/evaluation/record.ts';
import { isOver } from '#core/exploration/runs.ts';
import { wholeNumberText, countWithNoun, makePrintableLine } from '../command-line/text.ts';

/** Says that figures will still change, or that some are missing for good; nothing of a run that completed. */
export function unfinishedEvaluationLines({ status, reason, progress }: EvaluationRecord): string[] {
  if (status === 'completed') return [];
  const why = reason === null ? '' : ` (${makePrintableLine(reason)})`;
  const done = `${wholeNumberText(progress.unitsDone)} of ${countWithNoun(progress.units, 'unit')}`;
  const meaning = isOver(status) ? 'the others are missing' : 'what follows is not final';
  return [`${status}${why}: ${done} done; ${meaning}`, ''];
}
