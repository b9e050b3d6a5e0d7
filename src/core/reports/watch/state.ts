import { z } from 'zod';
import { emptySeries, rateSeries } from '#core/statistics/rate-rise.ts';
import { lockedServer } from '../lock/lock-file.ts';
import { incident, signals } from './incident.ts';
import { learntCall, unlearntCall, type LearntCall } from './learnt-call.ts';
import type { SeenCall } from './seen-call.ts';

/** What a server offers. */
export const definitions = lockedServer.omit({ calls: true });
export type Definitions = Readonly<z.infer<typeof definitions>>;

/** An incident that lasts, with what tells when it is over. */
const openIncident = z.object({
  incident,
  /** What is not counted while it lasts: tools and signals, and the blocks that are left out when it is over. */
  parts: z.array(z.object({ tool: z.string(), signal: z.enum(signals), blocks: z.int().min(0) })),
  /** Usual visits in a row. */
  calm: z.int().min(0),
});
export type OpenIncident = Readonly<z.infer<typeof openIncident>>;

/** All that a watch remembers of its server. */
export const watchState = z.object({
  /** When it reached the server, the latest times. */
  reachedAt: z.array(z.string()),
  visits: z.int().min(0),
  /** Visits in a row that did not reach it. */
  missed: z.int().min(0),
  missedSince: z.string().nullable(),
  /** What the server offers, as it was first or as its owner accepted it; null before the first visit. */
  accepted: definitions.nullable(),
  /** What it offered last, where that is held until its owner accepts it. */
  held: definitions.nullable(),
  calls: z.array(learntCall),
  /** By tool and signal. */
  series: z.record(z.string(), rateSeries),
  /** Attempts of agents that failed, of all, a block an evaluation. */
  agents: rateSeries,
  /** When these evaluations ended, the latest times. */
  agentsAt: z.array(z.string()),
  open: z.array(openIncident),
  /** Incidents so far. */
  incidents: z.int().min(0),
});
export type WatchState = Readonly<z.infer<typeof watchState>>;

export const newWatchState = (calls: readonly Pick<LearntCall, 'tool' | 'arguments'>[]): WatchState => ({
  reachedAt: [],
  visits: 0,
  missed: 0,
  missedSince: null,
  accepted: null,
  held: null,
  calls: calls.map(unlearntCall),
  series: {},
  agents: emptySeries,
  agentsAt: [],
  open: [],
  incidents: 0,
});

/** What one visit found. */
export type Visit =
  | { readonly kind: 'unreached'; readonly at: string; readonly detail: string }
  | {
      readonly kind: 'reached';
      readonly at: string;
      readonly definitions: Definitions;
      /** The tries of each call of the state, in its order; empty for a call that was not made. */
      readonly tries: readonly (readonly SeenCall[])[];
    };

/** How a watch works. */
export interface WatchPlan {
  /** Hours between visits. */
  readonly everyHours: number;
  /** Whether changed definitions count as a change until the owner accepts them. */
  readonly hold: boolean;
}
