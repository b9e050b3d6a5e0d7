import { z } from 'zod';
import { mostTokens } from '#core/models/prices.ts';

/** The tokens of an answer, as its endpoint counts them. Those cached and written are parts of the prompt's, those of reasoning of the completion's. */
export interface CountedTokens {
  readonly prompt: number;
  readonly completion: number;
  readonly cached: number;
  readonly written: number;
  readonly reasoning: number;
}

const count = z.int().min(0).max(mostTokens).optional().catch(undefined);
const nullableCount = count.nullable().catch(undefined);
const schemaOfLenientPartialObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.looseObject(shape).partial().optional().catch(undefined);

const usage = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: schemaOfLenientPartialObject({ cached_tokens: count, cache_write_tokens: count }),
  completion_tokens_details: schemaOfLenientPartialObject({ reasoning_tokens: count }),
  /** DeepSeek's name for what was cached. */
  prompt_cache_hit_tokens: count,
  /** Names of the Responses API. */
  input_tokens: count,
  output_tokens: count,
  input_tokens_details: schemaOfLenientPartialObject({ cached_tokens: count, cache_write_tokens: count }),
  output_tokens_details: schemaOfLenientPartialObject({ reasoning_tokens: count, thinking_tokens: count }),
  /** Anthropic's names of what was cached and written, which its count of the prompt leaves out. */
  cache_read_input_tokens: nullableCount,
  cache_creation_input_tokens: nullableCount,
});

/** Reads what an endpoint counted, each number by itself: one that is missing or impossible says nothing of the others. */
export function parseUsage(value: unknown): Partial<CountedTokens> {
  const read = usage.safeParse(value).data;
  if (read === undefined) return {};
  const { total_tokens: total = 0 } = read;
  const { cache_read_input_tokens: readFromCache, cache_creation_input_tokens: writtenToCache } = read;
  const input =
    read.input_tokens === undefined ? undefined : read.input_tokens + (readFromCache ?? 0) + (writtenToCache ?? 0);
  const prompt = read.prompt_tokens ?? input;
  const counted = read.completion_tokens ?? read.output_tokens;
  // Gemini's completion leaves out its reasoning, which the total has.
  const completion = counted === undefined ? undefined : Math.max(counted, prompt === undefined ? 0 : total - prompt);
  const promptParts = read.prompt_tokens_details ?? read.input_tokens_details;
  const cached = promptParts?.cached_tokens ?? read.prompt_cache_hit_tokens ?? readFromCache ?? undefined;
  const written = promptParts?.cache_write_tokens ?? writtenToCache ?? undefined;
  const { output_tokens_details: outputParts } = read;
  const reasoning =
    read.completion_tokens_details?.reasoning_tokens ?? outputParts?.reasoning_tokens ?? outputParts?.thinking_tokens;
  return countsWithoutUndefined({ prompt, completion, cached, written, reasoning });
}

const countsWithoutUndefined = (
  counts: Readonly<Record<keyof CountedTokens, number | undefined>>,
): Partial<CountedTokens> => Object.fromEntries(Object.entries(counts).filter(([, each]) => each !== undefined));
