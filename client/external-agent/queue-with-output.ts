import { z } from 'zod';
import type { CommandContext } from '../command-line/context.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import { makeSchemaNumberParser, optionalOption } from '../command-line/options.ts';
import type { Output } from '../command-line/output.ts';
import { claimAndMakeAttemptsUntilNoneLeft, type QueueEvent, type QueueOptions } from './queue.ts';
import { Tally } from './tally.ts';
import { endedAttemptLine } from './wording.ts';

const parallelSchema = z.int().min(1).max(50).default(1);

/** The number of parallel attempts, with its default. */
export const parallelOption = optionalOption(
  'parallel',
  'N',
  describeWithDefault('attempts that are made at once', parallelSchema),
  makeSchemaNumberParser(parallelSchema),
);
export const defaultParallel = parallelSchema.parse(undefined);

/** Works a queue off, reports the outcome of each attempt, and counts them at the end in any case. */
export async function claimAndMakeAttemptsWithOutput(
  work: Pick<QueueOptions, 'wanted' | 'command' | 'parallel' | 'keepGoing'>,
  { client, output, signal }: CommandContext,
): Promise<void> {
  const tally = new Tally();
  try {
    await claimAndMakeAttemptsUntilNoneLeft({
      ...work,
      client,
      signal,
      environment: process.env,
      onEvent: (event) => {
        if (event.type === 'ended') tally.add(event.outcome);
        printQueueEvent(event, output);
      },
    });
  } finally {
    output.writeAsJsonOrLines({ type: 'summary', counts: tally.counts }, () => [tally.countsText()]);
  }
}

function printQueueEvent(event: QueueEvent, output: Output): void {
  if (event.type === 'waiting') {
    const why = 'nothing to claim just now: all that is left is claimed, or the run is paused; waiting';
    return output.isJson ? output.writeAsJsonOrLines(event, () => []) : output.writeNote(why);
  }
  const { id, request, deadline } = event.attempt;
  // The token must not be kept in logs.
  if (event.type === 'claimed')
    return output.writeAsJsonOrLines({ type: 'claimed', attempt: id, request, deadline }, () => []);
  const { durationMs, outcome } = event;
  output.writeAsJsonOrLines({ type: 'ended', attempt: id, durationMs, outcome }, () => [endedAttemptLine(event)]);
}
