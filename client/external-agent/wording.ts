import { maxResponseChars, type AttemptEnd } from '#core/evaluation/claim.ts';
import { wholeNumberText, countWithNoun, cutToWidth, padEndToWidth, makePrintableLine } from '../command-line/text.ts';
import type { NotMade, Outcome } from './outcome.ts';
import type { QueueEvent } from './queue.ts';

const requestColumns = 60;
/** Formats a finished attempt as a line. */
export function endedAttemptLine({ attempt, durationMs, outcome }: Extract<QueueEvent, { type: 'ended' }>): string {
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
