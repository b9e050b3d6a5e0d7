import { z } from 'zod';
import type { CommandContext } from '../command-line/context.ts';
import { noteNextStep } from '../command-line/next-step.ts';
import { countWithNoun, cutToWidth, makePrintableLine, padEndToWidth, wholeNumberText } from '../command-line/text.ts';
import type { Wanted } from '../resources/attempts.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import { makeSchemaNumberParser, optionalOption } from '../command-line/options.ts';
import type { Output } from '../command-line/output.ts';
import { type QueueEvent, type QueueOptions, runQueueUntilNoAttemptsLeft } from './queue.ts';
import type { NotMade, Outcome } from './outcome.ts';
import { type AttemptEnd, maxResponseChars } from '#core/evaluation/claim.ts';

const requestColumns = 60;
/** Formats a finished attempt as a line. */
function endedAttemptLine({ attempt, durationMs, outcome }: Extract<QueueEvent, { type: 'ended' }>): string {
  const request = padEndToWidth(cutToWidth(makePrintableLine(attempt.request), requestColumns), requestColumns);
  return `${request}  ${(durationMs / 1000).toFixed(1)} s  ${progressText(outcome)}${outcomeText(outcome)}`;
}

const progressText = (outcome: Outcome): string =>
  'progress' in outcome && outcome.progress !== undefined
    ? `${wholeNumberText(outcome.progress.made)} of ${wholeNumberText(outcome.progress.of)}  `
    : '';

function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'answered':
      return `answered, ${responseLengthText(outcome)}${callsText(outcome)}${faultNoteText(outcome)}`;
    case 'crashed':
      return `crashed with exit code ${outcome.exitCode}${outcome.held === true ? ': held without a score' : outcome.evaluated ? ': counts with an empty response' : faultNoteText(outcome)}`;
    case 'too-late':
      return 'ended at the deadline: the claim runs out by itself';
    case 'over':
      return `over already: ${makePrintableLine(outcome.detail)}`;
    case 'not-started':
      return `not started, exit code ${outcome.exitCode}: ${givenBackText(outcome)}`;
    case 'interrupted':
      return `interrupted: ${givenBackText(outcome)}`;
  }
}

function givenBackText({ again }: NotMade): string {
  if (again === null) return 'the claim runs out by itself';
  return again ? 'given back, and in the queue again' : 'given back, and ended with what was done until then';
}

const responseLengthText = ({ chars, cut }: Extract<Outcome, { kind: 'answered' }>): string =>
  cut
    ? `with the first ${wholeNumberText(chars)} characters: it printed more than ${wholeNumberText(maxResponseChars)}, which are refused`
    : countWithNoun(chars, 'character');

const callsText = ({ calls }: AttemptEnd): string => (calls === undefined ? '' : `, ${countWithNoun(calls, 'call')}`);

function faultNoteText({ evaluated, again }: AttemptEnd): string {
  if (evaluated) return '';
  return again ? '; a fault broke it, so it is in the queue again' : '; a fault broke it once more: not evaluated';
}

type Counts = Record<Outcome['kind'], number>;

/** Counts the outcomes of attempts. */
class Tally {
  readonly #counts: Counts = {
    answered: 0,
    crashed: 0,
    'too-late': 0,
    over: 0,
    'not-started': 0,
    interrupted: 0,
  };

  #held = 0;

  add(outcome: Outcome): void {
    this.#counts[outcome.kind] += 1;
    if (outcome.kind === 'crashed' && outcome.held === true) this.#held += 1;
  }

  /** Crashed attempts that the service holds without a score. */
  get held(): number {
    return this.#held;
  }

  get counts(): Readonly<Counts> {
    return { ...this.#counts };
  }

  /** Formats the counts, without kinds that did not occur. */
  countsText(): string {
    const all = Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
    const parts = Object.entries(this.#counts).flatMap(([kind, count]) =>
      count === 0 ? [] : [`${count} ${kind.replace('-', ' ')}`],
    );
    return [countWithNoun(all, 'attempt'), ...parts].join(', ');
  }
}

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
  work: Pick<QueueOptions, 'wanted' | 'make' | 'parallel' | 'keepGoing'> & {
    /** What begins each line, where several queues print theirs. */
    readonly label?: string;
  },
  { client, output, signal }: CommandContext,
): Promise<void> {
  const label = work.label === undefined ? '' : `${work.label}  `;
  const tally = new Tally();
  let endsWell = false;
  try {
    await runQueueUntilNoAttemptsLeft({
      ...work,
      client,
      signal,
      onEvent: (event) => {
        if (event.type === 'ended') tally.add(event.outcome);
        printQueueEvent(event, output, label);
      },
    });
    endsWell = true;
  } finally {
    output.writeAsJsonOrLines({ type: 'summary', counts: tally.counts, held: tally.held }, () => [
      `${label}${tally.countsText()}`,
    ]);
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

function printQueueEvent(event: QueueEvent, output: Output, label: string): void {
  if (event.type === 'waiting') {
    const why = 'nothing to claim just now: all that is left is claimed, or the run is paused; waiting';
    return output.isJson ? output.writeAsJsonOrLines(event, () => []) : output.writeNote(`${label}${why}`);
  }
  const { id, request, deadline } = event.attempt;
  // The token must not be kept in logs.
  if (event.type === 'claimed')
    return output.writeAsJsonOrLines({ type: 'claimed', attempt: id, request, deadline }, () => []);
  const { durationMs, outcome } = event;
  output.writeAsJsonOrLines({ type: 'ended', attempt: id, durationMs, outcome }, () => [
    `${label}${endedAttemptLine(event)}`,
  ]);
}
