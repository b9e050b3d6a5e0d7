import { firstCharacters, textWithMarkIfCut } from '#core/values/excerpt.ts';
import type { Step } from '#core/traces/trace.ts';
import type { JudgedAttempt } from './scorer.ts';

/** Characters that a judge sees of one call's arguments, and of all calls of an attempt together. */
const argumentChars = 4_000;
export const allCallsChars = 120_000;
/** Calls of an attempt that a judge sees; of more, the ones in the middle are left out. */
export const shownCalls = 200;

/** What looks like the beginning of our mark of a gap, with characters between that nobody sees; in JSON too. */
const forgedMark =
  /[[\uff3b\u3010\u3014\u27e6\u2772](?=(?:(?:[\s\p{Default_Ignorable_Code_Point}]|\\[nrt])*(?:left(?:[\s\p{Default_Ignorable_Code_Point}]|\\[nrt])*out|cut(?:[\s\p{Default_Ignorable_Code_Point}]|\\[nrt])*off)))/giu;

/**
 * Returns an outside text in which nothing passes for our mark of a gap: `(left out here` in place of `[left out here`. A judge counts
 * what a mark says to be missing in favour of the attempt, so nobody but us may set one.
 */
export const withoutForgedMarks = (text: string): string => text.replaceAll(forgedMark, '(');

/** A call as a judge sees it. */
export interface JudgedCall {
  /** Its place in the trace, from 1. */
  readonly call: number;
  readonly tool: string;
  /** The beginning of their JSON if they are too long. */
  readonly arguments: unknown;
  readonly outcome: Step['outcome'];
  /** The excerpt that the agent saw, or its beginning if all calls together are too long. The tool's words only. */
  readonly result: string;
  /** What the assistant's own model made of a long result, and the assistant saw in its place: no words of the tool. */
  readonly summaryByAssistant?: string;
}

/** The calls of an attempt as a judge sees them, with a sentence on what is left out. */
export interface JudgedCalls {
  readonly calls: readonly JudgedCall[];
  readonly leftOut: string;
}

/**
 * Returns the calls of an attempt for a judge: with their arguments, outcomes and the excerpts that the agent saw, and apart from
 * them what it saw in place of a long result. If they are too long together, the longest results and summaries are shortened to
 * one length. Every cut is marked; what is missing is counted.
 */
export function makeJudgedCalls({
  steps,
  sawWholeResults,
}: Pick<JudgedAttempt, 'steps' | 'sawWholeResults'>): JudgedCalls {
  const numbered = steps.map((step, place) => ({ step, call: place + 1 }));
  const shown = [...numbered.slice(0, shownCalls / 2), ...numbered.slice(shownCalls / 2).slice(-shownCalls / 2)];
  const written = shown.map(({ step, call }) => ({
    step,
    call,
    text: withoutForgedMarks(step.text),
    summary: step.summary === undefined ? undefined : withoutForgedMarks(step.summary),
    args: cutArgumentsForJudge(step.arguments),
  }));
  const spent = written.reduce((sum, { step, args }) => sum + args.chars + step.tool.length, 0);
  const lengths = written.flatMap(({ text, summary }) => [text.length, summary?.length ?? 0]);
  const chars = longestCutThatFitsTotal(lengths, Math.max(0, allCallsChars - spent));
  const hidden = lengths.reduce((sum, length) => sum + Math.max(0, length - chars), 0);
  return {
    calls: written.map(({ step, call, text, summary, args }) => ({
      call,
      // A model may call a tool that it made up.
      tool: withoutForgedMarks(step.tool),
      arguments: args.value,
      outcome: step.outcome,
      // A summary was made from more than the excerpt.
      result: cutResultForJudge(text, step.truncated, chars, sawWholeResults || summary !== undefined),
      ...(summary === undefined ? {} : { summaryByAssistant: cutResultForJudge(summary, false, chars, true) }),
    })),
    leftOut: leftOutText(steps.length - shown.length, hidden),
  };
}

/** Returns a result in `chars` characters: as the agent saw it if it fits, else with a mark of what only the judge lacks. */
function cutResultForJudge(text: string, truncated: boolean, chars: number, sawWhole: boolean): string {
  if (text.length <= chars)
    return truncated && sawWhole ? `${text}\n[left out here: the rest]` : textWithMarkIfCut(text, truncated);
  const beginning = firstCharacters(text, chars);
  return `${beginning}\n[left out here: ${text.length - beginning.length} characters]`;
}

function cutArgumentsForJudge(value: Step['arguments']): { readonly value: unknown; readonly chars: number } {
  const written = JSON.stringify(value);
  const json = withoutForgedMarks(written);
  if (json.length <= argumentChars) return { value: json === written ? value : JSON.parse(json), chars: json.length };
  const beginning = firstCharacters(json, argumentChars);
  return {
    value: `${beginning} [left out here: ${json.length - beginning.length} characters]`,
    chars: argumentChars,
  };
}

/** Returns the greatest length such that texts of these lengths, none shown longer than it, fit into `total` characters. */
function longestCutThatFitsTotal(lengths: readonly number[], total: number): number {
  let left = total;
  let longer = lengths.length;
  for (const length of lengths.toSorted((a, b) => a - b)) {
    if (length * longer > left) return Math.floor(left / longer);
    left -= length;
    longer -= 1;
  }
  return Math.max(0, ...lengths);
}

function leftOutText(calls: number, characters: number): string {
  const gaps = [
    ...(calls === 0 ? [] : [`${calls} calls in the middle are not listed`]),
    ...(characters === 0 ? [] : [`${characters} characters of results are not shown`]),
  ];
  return gaps.length === 0 ? 'none' : gaps.join('; ');
}
