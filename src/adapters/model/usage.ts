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
const details = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.looseObject(shape).partial().optional().catch(undefined);

const usage = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: details({ cached_tokens: count, cache_write_tokens: count }),
  completion_tokens_details: details({ reasoning_tokens: count }),
  /** DeepSeek's name for what was cached. */
  prompt_cache_hit_tokens: count,
});

/** Reads what an endpoint counted, each number by itself: one that is missing or impossible says nothing of the others. */
export function readUsage(value: unknown): Partial<CountedTokens> {
  const read = usage.safeParse(value).data;
  if (read === undefined) return {};
  const { prompt_tokens: prompt, completion_tokens, total_tokens: total = 0 } = read;
  // Gemini's completion leaves out its reasoning, which the total has.
  const completion =
    completion_tokens === undefined
      ? undefined
      : Math.max(completion_tokens, prompt === undefined ? 0 : total - prompt);
  const cached = read.prompt_tokens_details?.cached_tokens ?? read.prompt_cache_hit_tokens;
  const written = read.prompt_tokens_details?.cache_write_tokens;
  const reasoning = read.completion_tokens_details?.reasoning_tokens;
  return dropUndefined({ prompt, completion, cached, written, reasoning });
}

const dropUndefined = (counts: Readonly<Record<keyof CountedTokens, number | undefined>>): Partial<CountedTokens> =>
  Object.fromEntries(Object.entries(counts).filter(([, each]) => each !== undefined));
