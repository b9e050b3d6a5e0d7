import { z } from 'zod';
import type { ServerReply } from '#core/catalog/server-reply.ts';
import { canonicalJson } from '#core/values/canonical.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import type { ChangedValue } from './record.ts';

type Result = Extract<ServerReply, { readonly kind: 'result' }>;

const textBlock = z.looseObject({ type: z.literal('text'), text: z.string() });
const content = z.array(z.unknown()).catch([]);

/** Returns the texts of a result: those of its text blocks, and its structured content as JSON. */
export function listTextsOfResult({ result }: Result): string[] {
  const blocks = content.parse(result['content']).flatMap((block) => textBlock.safeParse(block).data?.text ?? []);
  const structured = result['structuredContent'];
  return structured === undefined ? blocks : [...blocks, JSON.stringify(structured)];
}

/** Returns whether an answer is a result that its server did not mark as an error, and that has a text. */
export const isSuccessWithText = (answer: ServerReply): answer is Result =>
  answer.kind === 'result' &&
  answer.result['isError'] !== true &&
  listTextsOfResult(answer).some((text) => text.trim() !== '');

/** Returns a result with its text blocks and its structured content changed. */
export const withChangedTexts = (
  { result }: Result,
  change: { readonly text: (text: string) => string; readonly structured: (value: unknown) => unknown },
): Result => ({
  kind: 'result',
  result: {
    ...result,
    content: content.parse(result['content']).map((block) => {
      const read = textBlock.safeParse(block);
      return read.success ? { ...read.data, text: change.text(read.data.text) } : block;
    }),
    ...(result['structuredContent'] === undefined
      ? {}
      : { structuredContent: change.structured(result['structuredContent']) }),
  },
});

/** Returns a result with a further block. */
export const withFurtherBlock = ({ result }: Result, block: Readonly<Record<string, unknown>>): Result => ({
  kind: 'result',
  result: { ...result, content: [...content.parse(result['content']), block] },
});

export const makeTextResult = (text: string): Result => ({
  kind: 'result',
  result: { content: [{ type: 'text', text }] },
});

/** Returns whether a result has structured content that a change leaves as it was, so that the agent still sees all of it. */
export const keepsStructuredContent = (before: Result, after: Result): boolean =>
  before.result['structuredContent'] !== undefined &&
  canonicalJson(before.result['structuredContent']) === canonicalJson(after.result['structuredContent']);

/** Returns whether a text block of a result is its structured content as JSON. */
export function saysStructuredContentInText({ result }: Result): boolean {
  const structured = result['structuredContent'];
  if (structured === undefined) return false;
  const wanted = canonicalJson(structured);
  return content.parse(result['content']).some((block) => {
    const json = parseJsonWithinLimits(textBlock.safeParse(block).data?.text ?? '');
    return json.ok && canonicalJson(json.value) === wanted;
  });
}

const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?$/.test(text);

/** Returns whether two texts are the same, or the same number with other decimals. */
export const isSameValue = (a: string, b: string): boolean =>
  a === b || (isNumber(a) && isNumber(b) && Number(a) === Number(b));

/**
 * Returns a result in which one value is another wherever `find` finds it: in text blocks, and in strings and numbers of the
 * structured content.
 */
export function withReplacedValue(answer: Result, { was, is }: ChangedValue, find: RegExp): Result {
  const text = (each: string): string => each.replaceAll(find, (found) => (isSameValue(found, was) ? is : found));
  const structured = (value: unknown): unknown => {
    if (typeof value === 'number') return isSameValue(String(value), was) ? Number(is) : value;
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(structured);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, structured(each)]));
  };
  return withChangedTexts(answer, { text, structured });
}
