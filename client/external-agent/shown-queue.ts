import { z } from 'zod';
import type { CommandContext } from '../command-line/context.ts';
import { withDefault } from '../command-line/defaults.ts';
import { numberOf, option } from '../command-line/options.ts';
import type { Output } from '../command-line/output.ts';
import { workOff, type QueueEvent, type QueueOptions } from './queue.ts';
import { Tally } from './tally.ts';
import { endedLine } from './wording.ts';

const parallelSchema = z.int().min(1).max(50).default(1);

/** The number of parallel attempts, with its default. */
export const parallelOption = option(
  'parallel',
  'N',
  withDefault('attempts that are made at once', parallelSchema),
  numberOf(parallelSchema),
);
export const defaultParallel = parallelSchema.parse(undefined);

/** Works a queue off, reports the outcome of each attempt, and counts them at the end in any case. */
export async function workOffShown(
  work: Pick<QueueOptions, 'wanted' | 'command' | 'parallel' | 'keepGoing'>,
  { client, output, signal }: CommandContext,
): Promise<void> {
  const tally = new Tally();
  try {
    await workOff({
      ...work,
      client,
      signal,
      environment: process.env,
      tell: (event) => {
        if (event.type === 'ended') tally.add(event.outcome);
        show(event, output);
      },
    });
  } finally {
    output.value({ type: 'summary', counts: tally.counts }, () => [tally.line()]);
  }
}

function show(event: QueueEvent, output: Output): void {
  if (event.type === 'waiting') {
    const why = 'nothing to claim just now: all that is left is claimed, or the run is paused; waiting';
    return output.isJson ? output.value(event, () => []) : output.note(why);
  }
  const { id, request, deadline } = event.attempt;
  // The token must not be kept in logs.
  if (event.type === 'claimed') return output.value({ type: 'claimed', attempt: id, request, deadline }, () => []);
  const { durationMs, outcome } = event;
  output.value({ type: 'ended', attempt: id, durationMs, outcome }, () => [endedLine(event)]);
}
