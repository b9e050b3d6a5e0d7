import type { Trace } from '#core/traces/trace.ts';
import type { Finding } from './findings.ts';

/** Shares of the attempts from which a habit is suspicious: any agent gives up or embroiders now and then. */
const silentShare = 0.1;
const quotingShare = 0.1;
const relaunchedShare = 0.05;
/** Below so many, a share says nothing. */
const fewRelaunches = 3;
/** Shorter quotations meet by chance. */
const quotedChars = 12;

/** Quotations of a response that are looked for: each is a search through all results, and a response may be nothing but quotations. */
const mostQuotations = 50;

/** What is counted over the attempts of a submission. */
export interface Habits {
  readonly attempts: number;
  /** Attempts with a response, although no tool was called. */
  readonly withoutCalls: number;
  /** Attempts whose response quotes a result that no call returned. */
  readonly unreturned: number;
}

export const noHabits: Habits = { attempts: 0, withoutCalls: 0, unreturned: 0 };

/** The counts with one more attempt. */
export function observed(habits: Habits, request: string, trace: Pick<Trace, 'steps' | 'finalText'>): Habits {
  const answered = trace.finalText.trim() !== '';
  return {
    attempts: habits.attempts + 1,
    withoutCalls: habits.withoutCalls + (answered && trace.steps.length === 0 ? 1 : 0),
    unreturned: habits.unreturned + (answered && quotesUnreturned(request, trace) ? 1 : 0),
  };
}

/** What a moderator has to look at. */
export function suspicionsOf({ attempts, withoutCalls, unreturned }: Habits): Finding[] {
  const share = (count: number): string => `${count} of ${attempts} attempts`;
  const found: Finding[] = [];
  if (withoutCalls > attempts * silentShare)
    found.push({
      kind: 'responses-without-calls',
      where: share(withoutCalls),
      message: 'the agent answers although it called no tool',
    });
  if (unreturned > attempts * quotingShare)
    found.push({
      kind: 'unreturned-results',
      where: share(unreturned),
      message: 'the agent quotes results that none of its calls returned',
    });
  return found;
}

/** Attempts that were made a second time after a fault: an endpoint that breaks when it dislikes how things go would have two tries. */
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
 * Whether a response quotes something (a text between quotation marks or in code, a long number, an id) that stands neither in the request nor in
 * the arguments or results of any call. Says nothing where a result is known in part only, nor of quotations
 * after the first 50 different ones.
 */
export function quotesUnreturned(request: string, { steps, finalText }: Pick<Trace, 'steps' | 'finalText'>): boolean {
  if (steps.some(({ truncated }) => truncated)) return false;
  const known = plain(
    [request, ...steps.map(({ text, arguments: args }) => `${text} ${JSON.stringify(args)}`)].join(' '),
  );
  const quoted = [...new Set(quotations(finalText).map(plain))].slice(0, mostQuotations);
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

/** Escapes, spaces and letter case do not tell a quotation from what it quotes. */
const plain = (text: string): string =>
  text
    .replaceAll(/\\[nrt]/gu, ' ')
    .replaceAll('\\', '')
    .replaceAll(/[\s…]+/gu, ' ')
    .trim()
    .toLowerCase();
