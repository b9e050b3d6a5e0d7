import type { Trace } from '#core/traces/trace.ts';
import type { Finding } from './findings.ts';

/** Shares of the attempts from which a habit is suspicious; any agent gives up or embellishes occasionally. */
const silentShare = 0.1;
const quotingShare = 0.1;
const relaunchedShare = 0.05;
/** With fewer attempts, a share means nothing. */
const fewRelaunches = 3;
/** Shorter quotations match by chance. */
const quotedChars = 12;

/**
 * Maximum number of quotations checked in a response: each is a search through all results, and a response may consist
 * of quotations.
 */
const mostQuotations = 50;

/** Counts over the attempts of a submission. */
export interface Habits {
  readonly attempts: number;
  /** Attempts with a response but without a tool call. */
  readonly withoutCalls: number;
  /** Attempts whose response quotes a result that no call returned. */
  readonly unreturned: number;
}

export const noHabits: Habits = { attempts: 0, withoutCalls: 0, unreturned: 0 };

/** Returns the counts with one more attempt. */
export function habitsAfter(habits: Habits, request: string, trace: Pick<Trace, 'steps' | 'finalText'>): Habits {
  const answered = trace.finalText.trim() !== '';
  return {
    attempts: habits.attempts + 1,
    withoutCalls: habits.withoutCalls + (answered && trace.steps.length === 0 ? 1 : 0),
    unreturned: habits.unreturned + (answered && hasUnreturnedQuotation(request, trace) ? 1 : 0),
  };
}

/** Returns what a moderator must check. */
export function habitFindings({ attempts, withoutCalls, unreturned }: Habits): Finding[] {
  const shareText = (count: number): string => `${count} of ${attempts} attempts`;
  const found: Finding[] = [];
  if (withoutCalls > attempts * silentShare)
    found.push({
      kind: 'responses-without-calls',
      where: shareText(withoutCalls),
      message: 'the agent answers although it called no tool',
    });
  if (unreturned > attempts * quotingShare)
    found.push({
      kind: 'unreturned-results',
      where: shareText(unreturned),
      message: 'the agent quotes results that none of its calls returned',
    });
  return found;
}

/** Attempts that were repeated after a fault: an endpoint could fail on purpose to get a second try. */
export const relaunchFindings = (relaunched: number, attempts: number): Finding[] =>
  relaunched < fewRelaunches || relaunched <= attempts * relaunchedShare
    ? []
    : [
        {
          kind: 'many-relaunches',
          where: `${relaunched} of ${attempts} attempts`,
          message: 'infrastructure faults broke attempts, which were made again',
        },
      ];

/**
 * Returns whether a response quotes something (a text in quotation marks or code, a long number, an id) that appears
 * neither in the request nor in the arguments or results of any call. Ignores quotations if a result is only partly
 * known, and those after the first 50.
 */
export function hasUnreturnedQuotation(
  request: string,
  { steps, finalText }: Pick<Trace, 'steps' | 'finalText'>,
): boolean {
  if (steps.some(({ truncated }) => truncated)) return false;
  const known = comparableText(
    [request, ...steps.map(({ text, arguments: args }) => `${text} ${JSON.stringify(args)}`)].join(' '),
  );
  const quoted = [...new Set(quotations(finalText).map(comparableText))].slice(0, mostQuotations);
  return quoted.some((each) => !known.includes(each));
}

const quotation = /"([^"\n]+)"|“([^”\n]+)”|`([^`\n]+)`/gu;
const figure = /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{16,}|\d{6,})\b/giu;

const quotations = (text: string): string[] => [
  ...Array.from(text.matchAll(quotation), ([, a, b, c]) => a ?? b ?? c ?? '').filter(
    (quoted) => quoted.length >= quotedChars,
  ),
  ...Array.from(text.matchAll(figure), ([found]) => found),
];

/** Ignores differences in escapes, spaces and letter case between a quotation and its source. */
const comparableText = (text: string): string =>
  text
    .replaceAll(/\\[nrt]/gu, ' ')
    .replaceAll('\\', '')
    .replaceAll(/[\s…]+/gu, ' ')
    .trim()
    .toLowerCase();
