import { z } from 'zod';
import { incident } from './incident.ts';
import type { WatchState } from './state.ts';
import { visitsToLearn } from './learnt-call.ts';

/** Calls that a watch repeats, at most. */
export const mostWatchedCalls = 60;

/** A call that a watch repeats; the tool by its name on the server. */
export const watchedCall = z.strictObject({
  tool: z.string().min(1).max(128),
  arguments: z.record(z.string(), z.unknown()),
});
export type WatchedCall = Readonly<z.infer<typeof watchedCall>>;

/**
 * `learning`: what is usual is not known yet. `steady`: all is as before. `changed`: an incident lasts. `unreached`: the server cannot be
 * asked.
 */
export const watchStatus = z.enum(['learning', 'steady', 'changed', 'unreached']);

/** An evaluation whose agents work on its units again and again. */
const repeatedEvaluation = z.object({
  evaluation: z.string(),
  /** Days from one to the next. */
  everyDays: z.number().min(1).max(90),
});

/** What a watch is to do. */
export const watchConfig = z.object({
  server: z.object({ id: z.string(), name: z.string() }),
  workspace: z.string(),
  createdAt: z.string(),
  everyHours: z.number().min(1).max(168),
  /** Whether changed definitions are held until somebody accepts them. */
  hold: z.boolean(),
  /** Whether badge, feed and page need no key. */
  public: z.boolean(),
  /** Who is told; the secret that signs is encrypted. */
  webhook: z.object({ url: z.string(), secret: z.string() }).nullable(),
  agents: repeatedEvaluation.nullable(),
});
export type WatchConfig = Readonly<z.infer<typeof watchConfig>>;

/** A watch as clients see it. */
export const watchRecord = z.object({
  id: z.string(),
  ...watchConfig.pick({ server: true, createdAt: true, everyHours: true, hold: true, public: true }).shape,
  webhook: z.string().nullable(),
  status: watchStatus,
  paused: z.boolean(),
  /** Calls that each visit repeats. */
  calls: z.int(),
  /** Visits that reached the server. */
  visits: z.int(),
  lastVisitAt: z.string().nullable(),
  /** Null while it is paused. */
  nextVisitAt: z.string().nullable(),
  /** Why the last visit did not reach the server; null if it did. */
  problem: z.string().nullable(),
  /** The evaluation that is repeated; null without one. */
  agents: repeatedEvaluation
    .extend({
      /** The repetition under way, or the last one. */
      last: z.string().nullable(),
      /** Repetitions that count. */
      counted: z.int(),
      /** Why the last one does not count; null if it does, or is under way. */
      problem: z.string().nullable(),
    })
    .nullable(),
  /** Incidents that last. */
  open: z.array(incident),
  /** Why the last message could not be delivered; null if all were. */
  undelivered: z.string().nullable(),
});
export type WatchRecord = Readonly<z.infer<typeof watchRecord>>;

/** One visit, as the history shows it. */
export const pastVisit = z.object({
  number: z.int(),
  at: z.string(),
  /** Why it did not reach the server; null if it did. */
  problem: z.string().nullable(),
  /** Calls that were made, and those that were not as usual. */
  calls: z.int(),
  unusual: z.int(),
  /** The median time of a call; null without one. */
  medianMs: z.number().nullable(),
});
export type PastVisit = Readonly<z.infer<typeof pastVisit>>;

/** Returns how a watch stands. */
export function statusOfWatch({ open, visits }: Pick<WatchState, 'open' | 'visits'>): z.infer<typeof watchStatus> {
  if (open.some(({ incident: { kind } }) => kind === 'unreached')) return 'unreached';
  if (open.length > 0) return 'changed';
  return visits < visitsToLearn ? 'learning' : 'steady';
}

/** Soon after a miss a server is tried again, a few times; then hourly. */
const retryMs = 10 * 60_000;
const quickRetries = 3;
const hourMs = 3_600_000;

/** Milliseconds from one visit to the next. `draw`, 0..1, spreads those of different watches over a tenth of the time. */
export function pauseAfterVisit({ missed }: Pick<WatchState, 'missed'>, everyHours: number, draw: number): number {
  if (missed === 0) return Math.round(everyHours * hourMs * (0.95 + 0.1 * draw));
  return missed < quickRetries ? retryMs : Math.min(everyHours * hourMs, hourMs);
}
