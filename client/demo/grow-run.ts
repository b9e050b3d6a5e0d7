import { evolutionId, type EvolutionRecord } from '#core/evolution/record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { Client } from '../client.ts';
import type { Sink } from '../command-line/output.ts';
import { makePrintableLine } from '../command-line/text.ts';
import { CommandError } from '../command-line/usage-error.ts';
import { followEvolution } from '../progress/follow.ts';

/** Grows a run with variants of its units; null if it has no accepted unit to start from. */
export async function growIfAnyAccepted(
  client: Client,
  { id, config, units }: Pick<ExplorationRecord, 'id' | 'config' | 'units'>,
  progress: Sink,
): Promise<EvolutionRecord | null> {
  if (units.accepted === 0) return null;
  const started = await client.evolutions.create(id, { seed: config.seed, batch: config.batch });
  const evolution = await followEvolution(client, started, progress);
  if (evolution.status === 'completed') return evolution;
  const { number, status, reason } = evolution;
  throw new CommandError(`the evolution ${evolutionId(id, number)} is ${status}: ${makePrintableLine(reason ?? '')}`);
}
