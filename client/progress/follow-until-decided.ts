import type { AnytimeComparison, AnytimeQuestion } from '#core/evaluation/compare-anytime.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import type { RunEvent } from '#core/reports/events.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { Client } from '../client.ts';
import type { Sink } from '../command-line/output.ts';
import { showEvaluationUntilEnd } from './follow.ts';

/** How an evaluation ended in which agents were compared, and the comparison then. */
export interface DecidedEvaluation<Comparison> {
  readonly record: EvaluationRecord;
  readonly comparison: Comparison;
}

/** How the agents of an evaluation are compared while it runs. */
export interface Looking<Comparison> {
  look(): Promise<Comparison>;
  isDecided(comparison: Comparison): boolean;
}

/** Looks at two agents by the headline. */
export const lookAtTwoAgents = (client: Client, id: string, asked: AnytimeQuestion): Looking<AnytimeComparison> => ({
  look: () => client.evaluations.compareAnytime(id, asked),
  isDecided: ({ verdict }) => verdict !== 'undecided',
});

/** Shows an evaluation, compares its agents after its units, and cancels it as soon as that is decided. */
export async function followUntilComparisonDecided<Comparison extends { readonly units: number }>(
  client: Client,
  run: EvaluationRecord,
  { look, isDecided }: Looking<Comparison>,
  sink: Sink,
): Promise<DecidedEvaluation<Comparison>> {
  let nextLook = 1;
  const lookAfterUnit = async ({ event }: RunEvent): Promise<void> => {
    if (event.type !== 'unit.evaluated' || event.progress.unitsDone < nextLook) return;
    const seen = await look();
    // Each look reads all units, so looks become rarer; a later look costs a few units, and misleads nobody.
    nextLook = event.progress.unitsDone + Math.max(1, Math.floor(seen.units / 50));
    if (!isDecided(seen)) return;
    nextLook = Infinity;
    if (!isOver((await client.evaluations.get(run.id)).status)) await client.evaluations.cancel(run.id);
  };
  const record = await showEvaluationUntilEnd(client, run, sink, lookAfterUnit);
  return { record, comparison: await look() };
}
