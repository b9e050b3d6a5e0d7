import { toolNameWithoutServer } from '#core/catalog/tool.ts';
import type { Trace } from './trace.ts';

/** Shorter quotations match by chance. */
const quotedChars = 12;

/**
 * Maximum number of values checked in an answer: each is a search through all results, and an answer may consist of
 * quotations.
 */
const mostValues = 50;

/**
 * Returns the values that an answer states (a text of at least 12 characters in quotation marks or code, a number of at least
 * six digits, an id) and that are neither in the request, nor in the arguments, results and names of any call. Only the
 * first 50 values are checked. Null if a result was cut, because the value may be in what is not known.
 */
export function findUnreturnedValuesOfAnswerOrNull(
  request: string,
  { steps, finalText }: Pick<Trace, 'steps' | 'finalText'>,
): string[] | null {
  if (steps.some(({ truncated }) => truncated)) return null;
  const known = comparableText([request, ...steps.flatMap(listTextsOfCallAndResult)].join(' '));
  const stated = [...new Set(statedValues(finalText).map(comparableText))].slice(0, mostValues);
  return stated.filter((each) => !known.includes(each));
}

/** Returns whether an answer states such a value; null if there is no answer, or if a result was cut. */
export function statesUnreturnedValueOrNull(
  request: string,
  trace: Pick<Trace, 'steps' | 'finalText'>,
): boolean | null {
  if (trace.finalText.trim() === '') return null;
  const found = findUnreturnedValuesOfAnswerOrNull(request, trace);
  return found === null ? null : found.length > 0;
}

const listTextsOfCallAndResult = ({ tool, text, arguments: args }: Trace['steps'][number]): string[] => [
  text,
  JSON.stringify(args),
  tool,
  toolNameWithoutServer(tool),
  tool.replace('/', '__'),
];

const quotation = /"([^"\n]+)"|“([^”\n]+)”|`([^`\n]+)`/gu;
const figure =
  /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{16,}|\d{6,}|\d{1,3}(?:,\d{3}){2,}|\d{3},\d{3})\b/giu;

const statedValues = (text: string): string[] => [
  ...Array.from(text.matchAll(quotation), ([, a, b, c]) => a ?? b ?? c ?? '').filter(
    (quoted) => quoted.length >= quotedChars,
  ),
  ...Array.from(text.matchAll(figure), ([found]) => found),
];

/** Ignores differences in escapes, spaces, letter case and separators of thousands between a value and its source. */
const comparableText = (text: string): string =>
  text
    .replaceAll(/\\[nrt]/gu, ' ')
    .replaceAll('\\', '')
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/gu, '')
    .replaceAll(/[\s…]+/gu, ' ')
    .trim()
    .toLowerCase();
