/** Refusals that a conversation causes: it is too long for the model, its functions are too many for the endpoint, or a filter stops it. */
export type RefusedConversation = 'context-overflow' | 'function-cap' | 'content-filter';

/** What an endpoint says of its error. */
interface Said {
  readonly code?: unknown;
  readonly message?: string | null | undefined;
  readonly param?: string | null | undefined;
}

const kindByCode: ReadonlyMap<unknown, RefusedConversation> = new Map([
  ['context_length_exceeded', 'context-overflow'],
  ['content_filter', 'content-filter'],
]);

/** Statuses by which endpoints refuse a request for what is in it. */
const statusesOfContent: ReadonlySet<number> = new Set([400, 413, 422]);

const overflowWords =
  /\bmaximum context length\b|\bcontext (?:length|window)\b|\bprompt is too long\b|\btoo many (?:input )?tokens\b|\binput token count\b[^.]{0,60}\bexceeds?\b/i;
const functions = String.raw`(?:tools|functions|function[_ ]declarations)\b`;
/** Words that count functions: a refusal of one function's schema speaks of limits too. */
const capWords = new RegExp(
  [
    String.raw`\btoo many ${functions}`,
    String.raw`\b(?:maximum|at most|no more than|limit of|up to)(?: number)?(?: of)?(?: \d+)? ${functions}`,
    String.raw`\bnumber of ${functions}.{0,60}\b(?:exceed|maximum|at most|limit)`,
    String.raw`['"]?tools['"]?: array too long\b`,
    String.raw`\b${functions}[^.]{0,40}\b(?:exceeds?|limited to|must (?:not exceed|have at most)) \d+`,
  ].join('|'),
  'i',
);

/**
 * Returns why an endpoint refused a conversation, by its code for the error, or by its words where it has none for this;
 * undefined for every other error. OpenAI names a cap on functions by the parameter, other endpoints only in words.
 */
export function classifyRefusal(
  status: number | undefined,
  { code, message, param }: Said,
): RefusedConversation | undefined {
  const byCode = kindByCode.get(code);
  if (byCode !== undefined) return byCode;
  if (status === undefined || !statusesOfContent.has(status)) return undefined;
  const words = message ?? '';
  if (overflowWords.test(words)) return 'context-overflow';
  const isCap = (code === 'array_above_max_length' && /^tools\b/.test(param ?? '')) || capWords.test(words);
  return isCap ? 'function-cap' : undefined;
}
