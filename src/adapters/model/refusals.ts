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
