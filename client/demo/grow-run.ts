import { evolutionId, type EvolutionRecord } from '#core/exploration/evolution/record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { Client } from '../client.ts';
import type { Sink } from '../command-line/output.ts';
import { makePrintableLine } from '../command-line/text.ts';
import { CommandError } from '../../engine/usage-error.ts';
import { showEvolutionUntilEnd } from '../progress/follow.ts';

/**
 * Grows a run with variants of its units, by what is left of its budget in dollars; null if it has no accepted unit to
 * start from, or nothing is left. Throws if the evolution does not complete.
 */
export async function evolveRunIfUnitsAndBudgetLeft(
  client: Client,
  { id, config, units, usage }: Pick<ExplorationRecord, 'id' | 'config' | 'units' | 'usage'>,
  progress: Sink,
): Promise<EvolutionRecord | null> {
  if (units.accepted === 0) return null;
  const { costUsd } = config.budget;
  const left = costUsd === undefined ? undefined : costUsd - usage.costUsd;
  if (left !== undefined && left <= 0) return null;
  const started = await client.evolutions.create(id, {
    seed: config.seed,
    batch: config.batch,
    ...(left === undefined ? {} : { budget: { costUsd: left } }),
  });
  const evolution = await showEvolutionUntilEnd(client, started, progress);
  if (evolution.status === 'completed') return evolution;
  const { number, status, reason } = evolution;
  throw new CommandError(`the evolution ${evolutionId(id, number)} is ${status}: ${makePrintableLine(reason ?? '')}`);
}
