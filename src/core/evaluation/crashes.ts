import { z } from 'zod';

/** How many attempts of an external agent crashed before they had an answer, by what became of them. */
export const crashCounts = z
  .object({
    agent: z.string(),
    /** Waiting for somebody to say whether they are made again. They have no score. */
    held: z.int(),
    /** Made again. Shown so that nobody is better off by crashing until an attempt succeeds. */
    retried: z.int(),
    /** Scored with an empty response. */
    failed: z.int(),
  })
  .meta({ id: 'CrashCounts' });
export type CrashCounts = z.infer<typeof crashCounts>;

/** What to do with the held attempts of an agent, or of all agents. */
export const crashSettlement = z.strictObject({
  /** `retry`: they can be claimed again. `fail`: they count as attempts with an empty response. */
  do: z.enum(['retry', 'fail']),
  agent: z.string().min(1).max(60).optional(),
});
export type CrashSettlement = z.infer<typeof crashSettlement>;

/** How many held attempts that settled. Repeating it settles those that crashed since, if any. */
export const settledCrashes = z.object({ attempts: z.int() });
export type SettledCrashes = z.infer<typeof settledCrashes>;

const fates = [
  ['held', 'is held without a score', 'are held without a score'],
  ['retried', 'was made again', 'were made again'],
  ['failed', 'counts with an empty response', 'count with an empty response'],
] as const;

/** Says for each agent how many of its attempts crashed, and what became of them. */
export const crashSentences = (crashes: readonly CrashCounts[] = []): string[] =>
  crashes.map((counts) => {
    const parts = fates.flatMap(([key, one, many]) =>
      counts[key] === 0 ? [] : [`${counts[key]} ${counts[key] === 1 ? one : many}`],
    );
    const all = counts.held + counts.retried + counts.failed;
    return `${all === 1 ? '1 attempt' : `${all} attempts`} of ${counts.agent} crashed: ${parts.join(', ')}.`;
  });
