import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';

/** The arguments of a call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** What a server did with a call. Times are in milliseconds. */
export type Answer =
  | {
      readonly kind: 'result';
      readonly isError: boolean;
      /** All text content, joined by line ends. */
      readonly text: string;
      readonly structured: JsonObject | undefined;
      readonly ms: number;
    }
  | { readonly kind: 'error'; readonly code: number; readonly text: string; readonly ms: number }
  /** No answer in time. */
  | { readonly kind: 'silence'; readonly ms: number }
  /** The process or the connection ended before an answer. */
  | { readonly kind: 'gone'; readonly detail: string; readonly ms: number };

export type Result = Extract<Answer, { kind: 'result' }>;

export const isSuccess = (answer: Answer | undefined): answer is Result => answer?.kind === 'result' && !answer.isError;

/** Whether the server refused a call, by a result marked as an error or by an error of the protocol. */
export const isRefusal = (answer: Answer): answer is Extract<Answer, { kind: 'result' | 'error' }> =>
  answer.kind === 'error' || (answer.kind === 'result' && answer.isError);

/** Puts a text into one line, of 400 characters at most. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 400);

/** Returns the text by which a person tells answers apart. */
export const answerText = (answer: Answer): string => {
  switch (answer.kind) {
    case 'result':
      return answer.text === '' && answer.structured !== undefined ? JSON.stringify(answer.structured) : answer.text;
    case 'error':
      return answer.text;
    case 'silence':
      return `no answer within ${Math.round(answer.ms / 1000)} s`;
    case 'gone':
      return answer.detail;
  }
};

/** Returns the value that a successful result holds: its structured content, JSON in its text, or the text. */
export function resultValue({ structured, text }: Result): unknown {
  return structured ?? parseJsonOrNull(text) ?? text;
}

/** Returns an object or a list that a text holds as JSON; null if it holds none. */
export function parseJsonOrNull(text: string): JsonObject | readonly unknown[] | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) || isJsonObject(value) ? value : null;
  } catch {
    // Text that only begins like JSON is text.
    return null;
  }
}

/** What may differ between two equal answers: times, durations and random ids. */
const passing: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g, '<time>'],
  [/\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi, '<id>'],
  [/\b1[6-9]\d{8}(?:\d{3})?\b/g, '<time>'],
  [/\b\d+(?:\.\d+)? ?(?:ms|µs|milliseconds|seconds)\b/g, '<duration>'],
  [/("(?:took|elapsed|duration|latency|request_?id|trace_?id)\w*"\s*:\s*)(?:"[^"]*"|[\d.]+)/gi, '$1<passing>'],
  [/\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?\b/g, '<time>'],
];

/** Returns an answer's text without what passes. */
export const steadyText = (answer: Answer): string =>
  passing.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), answerText(answer));

/** Returns an answer's text with the texts of some arguments replaced, so that an echo does not tell answers apart. */
export function textWithoutArguments(answer: Answer, given: Arguments): string {
  const values = Object.values(given)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)
    .filter((value) => value.length > 1)
    .toSorted((one, other) => other.length - one.length);
  return values.reduce((text, value) => text.replaceAll(value, '<argument>'), steadyText(answer));
}

/** Whether a value holds nothing: empty texts, lists and objects, null, zero and false, however deep. */
export function isEmptyValue(value: unknown): boolean {
  if (value === null || value === undefined || value === 0 || value === false) return true;
  if (typeof value === 'string') return /^\s*(?:null|undefined|none|nil|\{\}|\[\]|)\s*$/i.test(value);
  if (Array.isArray(value)) return value.every(isEmptyValue);
  return isJsonObject(value) && Object.values(value).every(isEmptyValue);
}
