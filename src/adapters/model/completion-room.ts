import type { Dialect } from '#core/models/dialect.ts';
import { estimateTokens } from '#core/models/estimate-tokens.ts';
import type { EndpointError } from './endpoint-error.ts';

/** Completion tokens for which a request is still worth making. */
const leastRoom = 512;
/** Endpoints count the tokens of roles and separators differently. */
const spareTokens = 64;
/** How many times the estimated tokens a prompt is taken to have: texts other than English prose have more than estimated. */
const caution = 1.2;

/**
 * Returns how many completion tokens to ask for so that they fit the window beside the prompt, if its endpoint has
 * refused one that did not; at most `asked`. Where the prompt leaves too little room, it is for the endpoint to say.
 */
export function cutCompletionTokensToWindow(
  { window }: Dialect,
  body: Readonly<Record<string, unknown>>,
  asked: number,
): number {
  if (window === null) return asked;
  const room = window - Math.ceil(estimateTokens(JSON.stringify(body)) * caution) - spareTokens;
  return room < leastRoom ? asked : Math.min(room, asked);
}

/** Returns how many tokens prompt and completion may have together, if a refused request says that it asked for more. */
export const findContextWindow = ({ message }: EndpointError): number | undefined =>
  parseWindowAndPromptTokens(message)?.window;

/**
 * Returns how many completion tokens to ask for instead, if a request was refused only because its own limit of
 * completion tokens is more than the model's window has room for; undefined if the conversation itself is too long, or
 * the endpoint does not say. `asked` is that limit.
 */
export function findCompletionTokensThatFit({ message }: EndpointError, asked: number): number | undefined {
  const found = parseWindowAndPromptTokens(message);
  if (found === undefined) return undefined;
  const { window, prompt, exact } = found;
  // vLLM stops counting at the first token too many, and tells how far it got.
  const room = exact ? Math.min(window - prompt - spareTokens, asked - 1) : Math.floor(asked / 2);
  return room < leastRoom || prompt >= window ? undefined : room;
}

function parseWindowAndPromptTokens(message: string) {
  const sum = /\b(\d+) \+ (\d+) > (\d+)\b/.exec(message);
  if (sum !== null) return { prompt: Number(sum[1]), window: Number(sum[3]), exact: true };
  const window = /\bmaximum context length is (\d+)/i.exec(message)?.[1];
  const exact = /\((\d+) in the messages|\brequest has (\d+) input tokens/i.exec(message);
  const atLeast = /\bat least (\d+) input tokens/i.exec(message)?.[1];
  const prompt = exact?.[1] ?? exact?.[2] ?? atLeast;
  if (window === undefined || prompt === undefined) return undefined;
  return { window: Number(window), prompt: Number(prompt), exact: exact !== null };
}
