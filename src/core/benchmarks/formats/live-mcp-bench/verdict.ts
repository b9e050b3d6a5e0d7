import { z } from 'zod';

/** What a text says of an attempt. `unparsed` is neither success nor failure. */
export type PublishedVerdict = 'success' | 'failure' | 'unparsed';

const onlyVerdict = /^["'`*\s]*(success|failure)["'`*\s.]*$/i;
const statusLine = /\bstatus\b["'`*\s]*[:=]["'`*\s]*(success|failure)\b/gi;

/**
 * Reads a judge's or a person's verdict strictly: the text is the verdict alone, or all of its `Status:` lines name the
 * same one. Everything else is `unparsed`.
 */
export function parseVerdictStrictly(text: string): PublishedVerdict {
  const only = onlyVerdict.exec(text)?.[1];
  const named = only === undefined ? [...text.matchAll(statusLine)].map(([, verdict]) => verdict) : [only];
  const [first, ...others] = new Set(named.map((verdict) => verdict?.toLowerCase()));
  return others.length === 0 && (first === 'success' || first === 'failure') ? first : 'unparsed';
}

/**
 * Reads a verdict as the published evaluator does: any text with the letters `success` is one, "successfully failed"
 * too. Only for a comparison with published figures.
 */
export const parseVerdictAsPublished = (text: string): Exclude<PublishedVerdict, 'unparsed'> =>
  text.toLowerCase().includes('success') ? 'success' : 'failure';

const taskId = z.string().min(1).max(100);

/** A file of a judge's verdicts: one for each task. */
export const publishedVerdicts = z
  .array(z.object({ task_id: taskId, judge: z.string().max(100_000), judge_reason: z.string().max(100_000).nullish() }))
  .max(10_000);

/** A file of people's verdicts: one for each task. */
export const publishedLabels = z.array(z.object({ task_id: taskId, task_success: z.string().max(1_000) })).max(10_000);
