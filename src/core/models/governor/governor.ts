import { z } from 'zod';
import { backoffMs } from '#core/values/backoff.ts';
import { circuit, circuitAfterRequest, circuitState, newCircuit, type CircuitState } from './circuit.ts';
import {
  recentStartsWithAdded,
  countRecentStarts,
  recentStarts,
  earliestStartByMinuteLimitMs,
  type StatedLimits,
} from '#core/catalog/stated-limits.ts';
import { longestPauseMs, type ToldLimit, type ToldLimits } from './rate-limits.ts';

/** What is left of a limit: `remaining` at `atMs`, and `perMs` more with each millisecond, up to `limit`. */
const budget = z.object({ limit: z.number(), remaining: z.number(), atMs: z.number(), perMs: z.number() });
type Budget = Readonly<z.infer<typeof budget>>;

/** A request that is under way. Its lease ends by itself, in case that its holder died. */
const lease = z.object({ sinceMs: z.number(), untilMs: z.number(), tokens: z.number() });

/** What is known of one endpoint; times are in milliseconds since 1970. */
export const governorState = z.object({
  leases: z.record(z.string(), lease),
  /** How many requests may be under way; the whole part counts. */
  allowed: z.number().min(1),
  /** Up to here `allowed` grows by one with each answer, beyond by one with each round of answers. */
  threshold: z.number(),
  /** Nobody starts before. */
  pausedUntilMs: z.number(),
  /** The least time between two starts, after a pause. */
  gapMs: z.number(),
  lastStartMs: z.number(),
  /** When `allowed` was last reduced: requests that had started before say nothing new. */
  reducedMs: z.number(),
  /** How often in a row the endpoint was too busy, and since when. */
  busy: z.int(),
  busySinceMs: z.number().nullable(),
  requests: budget.nullable(),
  tokens: budget.nullable(),
  /** Starts of requests whose number in a minute is limited. */
  starts: recentStarts.default({}),
  /** Whether it answers at all. */
  circuit: circuit.default(newCircuit),
});
export type GovernorState = Readonly<z.infer<typeof governorState>>;

/** How many requests may be under way at an endpoint of which nothing is known, and at most. */
export const [allowedAtFirst, mostAllowed] = [64, 512];

export const newGovernor: GovernorState = {
  leases: {},
  allowed: allowedAtFirst,
  threshold: mostAllowed,
  pausedUntilMs: 0,
  gapMs: 0,
  lastStartMs: 0,
  reducedMs: 0,
  busy: 0,
  busySinceMs: null,
  requests: null,
  tokens: null,
  starts: {},
  circuit: newCircuit,
};

/** A request that wants to start. */
export interface WaitingRequest {
  readonly lease: string;
  /** What it will take at most, by an estimate: prompt and completion. */
  readonly tokens: number;
  /** Since when it waits; who waits longest comes first. */
  readonly sinceMs: number;
  /** How many requests it counts for; one if absent. */
  readonly requests?: number;
  /** What the endpoint's owner allows; nothing is stated if absent. */
  readonly limits?: StatedLimits;
}

/** Which requests start now. The others wait in the same order until `nextMs`, or until a request ends. */
interface Admitted {
  readonly state: GovernorState;
  readonly started: readonly string[];
  /** When the next one starts unless a request ends before; null if none waits. */
  readonly nextMs: number | null;
  /** Before this nobody starts, whatever ends; in the past if only requests under way are waited for. */
  readonly restsUntilMs: number;
  /** Whether nobody starts because the endpoint does not answer. */
  readonly isBroken: boolean;
}

/** How long a lease lasts that its holder neither ends nor extends, because it died, and how often it is extended. */
export const [leaseMs, extensionMs] = [30_000, 10_000];

/**
 * Lets requests start, in order of arrival, as long as none of the endpoint's limits forbids it: the common pause, the gap after
 * it, the requests under way, and what is left of its requests and tokens. Nobody overtakes, so that a large request is
 * not put off for ever by small ones.
 */
export function decideWhichWaitingStart(
  before: GovernorState,
  waiting: readonly WaitingRequest[],
  nowMs: number,
): Admitted {
  let state = stateWithoutEndedLeases(before, nowMs);
  const started: string[] = [];
  for (const each of waiting.toSorted((a, b) => a.sinceMs - b.sinceMs)) {
    // A repeated call for a request that has started already.
    if (state.leases[each.lease] === undefined) {
      const broken = circuitStateNow(state, nowMs);
      if (broken === 'open') {
        const { restsUntilMs } = state.circuit;
        return { state, started, nextMs: Math.max(nowMs, restsUntilMs), restsUntilMs, isBroken: true };
      }
      const restsUntilMs = endpointFreeAtMs(state, each, nowMs);
      const nextMs = Math.max(restsUntilMs, firstLeaseEndIfFull(state, each.limits));
      if (nextMs > nowMs) return { state, started, nextMs, restsUntilMs, isBroken: false };
      state = stateAfterRequestStart(state, each, nowMs);
      if (broken === 'half-open') state = { ...state, circuit: { ...state.circuit, tried: each.lease } };
    }
    started.push(each.lease);
  }
  return { state, started, nextMs: null, restsUntilMs: 0, isBroken: false };
}

const circuitStateNow = ({ circuit: known, leases }: GovernorState, nowMs: number): CircuitState =>
  circuitState(known, (lease) => (leases[lease]?.untilMs ?? 0) > nowMs, nowMs);

/** What a governor does now, for people. */
export interface GovernorStanding {
  readonly underWay: number;
  readonly startedInLastMinute: number;
  readonly circuit: CircuitState;
  /** Nobody starts before; in the past if nothing rests. */
  readonly restsUntilMs: number;
}

/** Returns what a governor does now. */
export const describeGovernor = (state: GovernorState, nowMs: number): GovernorStanding => ({
  underWay: Object.keys(stateWithoutEndedLeases(state, nowMs).leases).length,
  startedInLastMinute: countRecentStarts(state.starts, nowMs),
  circuit: circuitStateNow(state, nowMs),
  restsUntilMs: Math.max(state.pausedUntilMs, state.circuit.restsUntilMs),
});

function stateWithoutEndedLeases(state: GovernorState, nowMs: number): GovernorState {
  const leases = Object.entries(state.leases).filter(([, { untilMs }]) => untilMs > nowMs);
  return { ...state, leases: Object.fromEntries(leases) };
}

const endpointFreeAtMs = (
  state: GovernorState,
  { tokens, requests = 1, limits = {} }: WaitingRequest,
  nowMs: number,
): number =>
  Math.max(
    state.pausedUntilMs,
    state.lastStartMs + state.gapMs,
    budgetAvailableAtMs(state.requests, requests, nowMs),
    earliestStartByMinuteLimitMs(state.starts, limits.perMinute, requests, nowMs),
    budgetAvailableAtMs(state.tokens, tokens, nowMs),
  );

function firstLeaseEndIfFull(
  { leases, allowed }: GovernorState,
  { concurrency = mostAllowed }: StatedLimits = {},
): number {
  const ends = Object.values(leases).map(({ untilMs }) => untilMs);
  return ends.length >= Math.min(concurrency, Math.floor(allowed)) ? Math.min(...ends) : 0;
}

const stateAfterRequestStart = (
  state: GovernorState,
  { lease: id, tokens, requests = 1, limits }: WaitingRequest,
  nowMs: number,
): GovernorState => ({
  ...state,
  leases: { ...state.leases, [id]: { sinceMs: nowMs, untilMs: nowMs + leaseMs, tokens } },
  lastStartMs: nowMs,
  requests: budgetAfterTaking(state.requests, requests, nowMs),
  starts: limits?.perMinute === undefined ? state.starts : recentStartsWithAdded(state.starts, requests, nowMs),
  tokens: budgetAfterTaking(state.tokens, tokens, nowMs),
});

/** Returns the state after the holder of a lease said that it is alive. One that has ended stays so. */
export function stateAfterLeaseExtension(state: GovernorState, id: string, nowMs: number): GovernorState {
  const known = state.leases[id];
  return known === undefined
    ? state
    : { ...state, leases: { ...state.leases, [id]: { ...known, untilMs: nowMs + leaseMs } } };
}

const remainingOfBudgetAt = ({ limit, remaining, atMs, perMs }: Budget, nowMs: number): number =>
  Math.min(limit, remaining + Math.max(0, nowMs - atMs) * perMs);

/** A request that asks for more than the whole limit starts once the limit is untouched: the endpoint has to say what it thinks of that. */
function budgetAvailableAtMs(budget: Budget | null, wanted: number, nowMs: number): number {
  if (budget === null) return 0;
  const missing = Math.min(wanted, budget.limit) - remainingOfBudgetAt(budget, nowMs);
  return missing <= 0 ? 0 : Math.ceil(nowMs + missing / budget.perMs);
}

const budgetAfterTaking = (budget: Budget | null, taken: number, nowMs: number): Budget | null =>
  budget === null
    ? null
    : { ...budget, remaining: Math.max(0, remainingOfBudgetAt(budget, nowMs) - taken), atMs: nowMs };

/** How a request ended: the endpoint answered, was too busy (429, 529, 503 with a time), could not be found, or something else happened. */
export interface EndedRequest {
  readonly lease: string;
  readonly outcome: 'answered' | 'busy' | 'lost' | 'other';
  readonly told: ToldLimits;
}

/** Pauses after refusals that do not say how long, and gaps between the starts that follow. */
const pauses = { firstMs: 1_000, longestMs: 60_000 };
/** The least pause, however little the endpoint asks for: it is asked ever less often. */
const leastPauses = { firstMs: 50, longestMs: 60_000 };
const gaps = { firstMs: 250, longestMs: 4_000 };
const leastGapMs = 25;

/**
 * Returns the state after a request. A refusal for being too busy pauses everybody for as long as the endpoint asks, or for 1 second, then
 * 2, up to a minute; it halves the requests that may be under way, once for all that had started before. Each answer lets
 * one more in, or a part of one beyond the level of the last trouble, if the present number was needed at all (additive
 * increase, multiplicative decrease: Chiu and Jain 1989; Jacobson 1988 for the threshold).
 */
export function stateAfterRequestEnd(
  before: GovernorState,
  { lease: id, outcome, told }: EndedRequest,
  nowMs: number,
): GovernorState {
  const current = stateWithoutEndedLeases(before, nowMs);
  const { [id]: ended, ...leases } = current.leases;
  const underWay = Object.keys(current.leases).length;
  // What had started before the last trouble says nothing new; neither does a repeated report.
  const isNews = ended !== undefined && ended.sinceMs > current.reducedMs;
  const later = Object.values(leases).filter(({ sinceMs }) => ended !== undefined && sinceMs > ended.sinceMs);
  const laterTokens = later.reduce((sum, { tokens }) => sum + tokens, 0);
  const state: GovernorState = {
    ...current,
    leases,
    circuit: circuitAfterRequest(current.circuit, id, outcome, nowMs),
    // What started later is not among what the endpoint had counted when it answered.
    requests: budgetAfterToldLimit(current.requests, told.requests, later.length, nowMs),
    tokens: budgetAfterToldLimit(current.tokens, told.tokens, laterTokens, nowMs),
  };
  switch (outcome) {
    case 'lost':
    case 'other':
      return state;
    case 'answered':
      if (!isNews) return state;
      return {
        ...state,
        ...grownAllowedAfterAnswer(state, underWay),
        gapMs: halvedGapOrZero(state.gapMs),
        busy: 0,
        busySinceMs: null,
      };
    case 'busy':
      return stateAfterBusyRefusal(
        isNews ? stateWithReducedAllowed(state, underWay, nowMs) : state,
        told.pauseMs,
        nowMs,
      );
  }
}

const stateWithReducedAllowed = (state: GovernorState, underWay: number, nowMs: number): GovernorState => {
  const allowed = Math.max(1, Math.floor(Math.min(state.allowed, underWay) / 2));
  const busy = state.busy + 1;
  return { ...state, allowed, threshold: allowed, reducedMs: nowMs, busy, gapMs: backoffMs(gaps, busy) };
};

function stateAfterBusyRefusal(state: GovernorState, askedMs: number | undefined, nowMs: number): GovernorState {
  const times = Math.max(1, state.busy);
  const pauseMs =
    askedMs === undefined
      ? backoffMs(pauses, times)
      : Math.max(Math.min(longestPauseMs, askedMs), backoffMs(leastPauses, times));
  return {
    ...state,
    pausedUntilMs: Math.max(state.pausedUntilMs, nowMs + pauseMs),
    busySinceMs: state.busySinceMs ?? nowMs,
  };
}

const halvedGapOrZero = (gapMs: number): number => (gapMs / 2 < leastGapMs ? 0 : gapMs / 2);

function grownAllowedAfterAnswer(
  { allowed, threshold }: GovernorState,
  underWay: number,
): Pick<GovernorState, 'allowed'> {
  if (underWay * 2 < Math.floor(allowed)) return { allowed };
  return { allowed: Math.min(mostAllowed, allowed + (allowed < threshold ? 1 : 1 / allowed)) };
}

/** Providers document limits by the minute; a limit that is untouched does not show how fast it comes back. */
const usualPeriodMs = 60_000;
const [shortestPeriodMs, longestPeriodMs] = [1_000, 24 * 3_600_000];

/**
 * Returns what is left of a limit by what the endpoint told, less what it cannot have counted. It comes back evenly until the reset, as in a
 * bucket of tokens. A limit that comes back all at once lets requests go too early; the endpoint then says how long to wait.
 */
function budgetAfterToldLimit(
  before: Budget | null,
  told: ToldLimit | undefined,
  uncounted: number,
  nowMs: number,
): Budget | null {
  if (told === undefined) return before;
  const limit = Math.max(told.limit ?? before?.limit ?? 0, told.remaining);
  if (limit <= 0) return null;
  const used = limit - told.remaining;
  const perMs = used > 0 && told.resetMs > 0 ? used / told.resetMs : (before?.perMs ?? limit / usualPeriodMs);
  return {
    limit,
    remaining: Math.max(0, told.remaining - uncounted),
    atMs: nowMs,
    perMs: Math.min(limit / shortestPeriodMs, Math.max(limit / longestPeriodMs, perMs)),
  };
}

/** Returns whether a change is something that the endpoint said or did, and not only the start or end of a request. */
export const isWorthStoringAtOnce = (before: GovernorState, after: GovernorState): boolean =>
  after.pausedUntilMs !== before.pausedUntilMs || after.busy !== before.busy || after.circuit !== before.circuit;

/** An endpoint that has been too busy for longer than a day has no limit that passes. */
const longestBusyMs = 25 * 3_600_000;

/** Returns whether an endpoint has been too busy for so long, without a single answer, that nobody waits for it any more. */
export const isBusyForGood = ({ busySinceMs }: GovernorState, nowMs: number): boolean =>
  busySinceMs !== null && nowMs - busySinceMs > longestBusyMs;
