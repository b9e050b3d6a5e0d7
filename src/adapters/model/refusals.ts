import type { EndpointError } from './endpoint-error.ts';

/** Refusals that a conversation causes: it is too long for the model, its functions are too many for the endpoint, or a filter stops it. */
export type RefusedConversation = 'context-overflow' | 'function-cap' | 'content-filter';

const kindByCode: ReadonlyMap<unknown, RefusedConversation> = new Map([
  ['context_length_exceeded', 'context-overflow'],
  ['exceed_context_size_error', 'context-overflow'],
  ['content_filter', 'content-filter'],
]);

/** Statuses by which endpoints refuse a request for what is in it. */
export const statusesOfContent: ReadonlySet<number | undefined> = new Set([400, 413, 422]);

/** OpenAI, vLLM, Mistral, Groq, OpenRouter, Ollama and SGLang; llama.cpp; Anthropic; Bedrock; Gemini; xAI; text-generation-inference. */
const overflowWords = new RegExp(
  [
    String.raw`\bmaximum context length\b`,
    String.raw`\bcontext (?:length|window|limit)\b`,
    String.raw`\bexceeds? the (?:available )?context size\b`,
    String.raw`\b(?:prompt|input)\b[^.]{0,30}\b(?:is )?too long\b`,
    String.raw`\btoo many (?:input )?tokens\b`,
    String.raw`\binput token count\b[^.]{0,60}\bexceeds?\b`,
    String.raw`\bmaximum prompt length\b`,
    '\\binputs`? tokens \\+ `?max_new_tokens`? must be <=',
  ].join('|'),
  'i',
);
const functions = String.raw`(?:tools|functions|function[_ ]declarations)\b`;
/** Words that count functions: a refusal of one function's schema speaks of limits too. */
const capWords = new RegExp(
  [
    String.raw`\btoo many ${functions}`,
    String.raw`\b(?:maximum|at most|no more than|limit of|up to)(?: number)?(?: of)?(?: \d+)? ${functions}`,
    String.raw`\bnumber of ${functions}.{0,60}\b(?:exceed|maximum|at most|limit)`,
    String.raw`['"]?tools['"]?: array too long\b`,
    String.raw`['"]?tools['"]? ?: maximum number of items\b`,
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
  { codes, message, params }: EndpointError,
): RefusedConversation | undefined {
  for (const code of codes) {
    const byCode = kindByCode.get(code);
    if (byCode !== undefined) return byCode;
  }
  if (!statusesOfContent.has(status)) return undefined;
  if (overflowWords.test(message)) return 'context-overflow';
  const isCapped = codes.includes('array_above_max_length') && params.some((param) => /^tools\b/.test(param));
  return isCapped || capWords.test(message) ? 'function-cap' : undefined;
}

/** Completion tokens for which a request is still worth making. */
const leastRoom = 512;
/** Endpoints count the tokens of roles and separators differently. */
const spareTokens = 64;

/**
 * Returns how many completion tokens to ask for instead, if a request was refused only because its own limit of
 * completion tokens is more than the model's window has room for; undefined if the conversation itself is too long, or
 * the endpoint does not say. `asked` is that limit.
 */
export function findRoomForCompletion({ message }: EndpointError, asked: number): number | undefined {
  const found = readWindow(message);
  if (found === undefined) return undefined;
  const { window, prompt, exact } = found;
  // vLLM stops counting at the first token too many, and tells how far it got.
  const room = exact ? Math.min(window - prompt - spareTokens, asked - 1) : Math.floor(asked / 2);
  return room < leastRoom || prompt >= window ? undefined : room;
}

function readWindow(message: string) {
  const sum = /\b(\d+) \+ (\d+) > (\d+)\b/.exec(message);
  if (sum !== null) return { prompt: Number(sum[1]), window: Number(sum[3]), exact: true };
  const window = /\bmaximum context length is (\d+)/i.exec(message)?.[1];
  const exact = /\((\d+) in the messages|\brequest has (\d+) input tokens/i.exec(message);
  const atLeast = /\bat least (\d+) input tokens/i.exec(message)?.[1];
  const prompt = exact?.[1] ?? exact?.[2] ?? atLeast;
  if (window === undefined || prompt === undefined) return undefined;
  return { window: Number(window), prompt: Number(prompt), exact: exact !== null };
}
