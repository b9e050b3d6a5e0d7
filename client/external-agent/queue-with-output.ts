import { z } from 'zod';
import type { CommandContext } from '../command-line/context.ts';
import { noteNextStep } from '../command-line/next-step.ts';
import { countWithNoun } from '../command-line/text.ts';
import type { Wanted } from '../resources/attempts.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import { makeSchemaNumberParser, optionalOption } from '../command-line/options.ts';
import type { Output } from '../command-line/output.ts';
import { runQueueUntilNoAttemptsLeft, type QueueEvent, type QueueOptions } from './queue.ts';
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
  let endsWell = false;
  try {
    await runQueueUntilNoAttemptsLeft({
      ...work,
      client,
      signal,
      environment: process.env,
      onEvent: (event) => {
        if (event.type === 'ended') tally.add(event.outcome);
        printQueueEvent(event, output);
      },
    });
    endsWell = true;
  } finally {
    output.writeAsJsonOrLines({ type: 'summary', counts: tally.counts, held: tally.held }, () => [tally.countsText()]);
    noteNextSteps(work.wanted, { held: tally.held, endsWell }, output);
  }
}

/** Notes what to do about held attempts of an evaluation, or where its results are. */
function noteNextSteps(
  wanted: Wanted,
  { held, endsWell }: { readonly held: number; readonly endsWell: boolean },
  output: Output,
): void {
  if ('submission' in wanted) return;
  const { evaluation, agent } = wanted;
  if (held > 0) {
    if (!output.isJson) output.writeNote(`${countWithNoun(held, 'crashed attempt')} held without a score`);
    noteNextStep(
      output,
      `attempts retry ${evaluation} --agent ${agent} (makes them again)`,
      `attempts fail ${evaluation} --agent ${agent} (counts them with an empty response)`,
    );
  } else if (endsWell) noteNextStep(output, `watch ${evaluation}`, `results ${evaluation}`);
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
