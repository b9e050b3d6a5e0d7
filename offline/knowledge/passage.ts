import { z } from 'zod';

/** A short text that can be cited: where it comes from, and on what terms. */
export const passage = z.strictObject({
  id: z.string().min(1),
  text: z.string().min(1).max(1_000),
  source: z.string().min(1),
  licence: z.string().min(1),
});

export type Passage = z.infer<typeof passage>;

/** A name and what is said of it, as one text. */
export const formatPassageText = (name: string, said: string): string => {
  const trimmed = said.replace(/\s+/gu, ' ').trim();
  return `${name}: ${trimmed}${/[.!?]"?$/u.test(trimmed) ? '' : '.'}`;
};
