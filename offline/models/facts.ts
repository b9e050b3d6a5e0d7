import { z } from 'zod';
import { contentWords } from './words.ts';

const passage = z.union([z.string(), z.looseObject({ text: z.string() }).transform(({ text }) => text)]);

/** Rates each passage by the words that it shares with the request. Shared words alone never make one worth using. */
export const rateFacts = (
  passages: unknown,
  request: string,
): { passage: number; relevance: number; settles: null }[] => {
  const wanted = new Set(contentWords(request));
  return (Array.isArray(passages) ? passages : []).slice(0, 10).flatMap((given: unknown, index) => {
    const parsed = passage.safeParse(given);
    if (!parsed.success) return [];
    const words = new Set(contentWords(parsed.data));
    const shared = [...words].filter((word) => wanted.has(word)).length;
    const relevance = Math.min(0.8, shared / Math.max(4, Math.min(words.size, wanted.size)));
    return [{ passage: index + 1, relevance: Math.round(relevance * 100) / 100, settles: null }];
  });
};
