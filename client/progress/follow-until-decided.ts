import type { AnytimeComparison, AnytimeQuestion } from '#core/evaluation/compare-anytime.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import type { RunEvent } from '#core/reports/events.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { Client } from '../client.ts';
import type { Sink } from '../command-line/output.ts';
import { showEvaluationUntilEnd } from './follow.ts';

/** How an evaluation ended in which two agents were compared, and the comparison then. */
export interface DecidedEvaluation {
  readonly record: EvaluationRecord;
  readonly comparison: AnytimeComparison;
}

/** Shows an evaluation, compares two of its agents after its units, and cancels it as soon as that is decided. */
export async function followUntilComparisonDecided(
  client: Client,
  run: EvaluationRecord,
  asked: AnytimeQuestion,
  sink: Sink,
): Promise<DecidedEvaluation> {
  const look = (): Promise<AnytimeComparison> => client.evaluations.compareAnytime(run.id, asked);
  let nextLook = 1;
  const lookAfterUnit = async ({ event }: RunEvent): Promise<void> => {
    if (event.type !== 'unit.evaluated' || event.progress.unitsDone < nextLook) return;
    const { verdict, units } = await look();
    // Each look reads all units, so looks become rarer; a later look costs a few units, and misleads nobody.
    nextLook = event.progress.unitsDone + Math.max(1, Math.floor(units / 50));
    if (verdict === 'undecided') return;
    nextLook = Infinity;
    if (!isOver((await client.evaluations.get(run.id)).status)) await client.evaluations.cancel(run.id);
  };
  const record = await showEvaluationUntilEnd(client, run, sink, lookAfterUnit);
  return { record, comparison: await look() };
}
