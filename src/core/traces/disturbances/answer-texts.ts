import { z } from 'zod';
import type { ServerReply } from '#core/catalog/server-reply.ts';

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

/**
 * Returns a result in which one text stands in place of another wherever it stands by itself: in text blocks, and in strings
 * and numbers of the structured content.
 */
export function withReplacedValue(answer: Result, was: string, is: string): Result {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_]|\\d[.,])${escapeForPattern(was)}(?![\\p{L}\\p{N}_]|[.,]\\d)`, 'gu');
  const text = (each: string): string => each.replaceAll(pattern, () => is);
  const structured = (value: unknown): unknown => {
    if (typeof value === 'number') return String(value) === was && Number.isFinite(Number(is)) ? Number(is) : value;
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(structured);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, structured(each)]));
  };
  return withChangedTexts(answer, { text, structured });
}

const escapeForPattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
