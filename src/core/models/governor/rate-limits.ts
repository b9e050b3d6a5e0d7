/** What an endpoint says of one of its limits by the minute or the day: of requests, or of tokens. */
export interface ToldLimit {
  /** The most within the limit's period; undefined if it does not say. */
  readonly limit: number | undefined;
  readonly remaining: number;
  /** Milliseconds until all of it is available again. */
  readonly resetMs: number;
}

/** What an answer or a refusal says of the endpoint's limits. */
export interface ToldLimits {
  readonly requests?: ToldLimit;
  readonly tokens?: ToldLimit;
  /** How long the endpoint asks to be left alone, in milliseconds. */
  readonly pauseMs?: number;
}

/** Returns a header of an answer by its name, or null. */
type ReadHeader = (name: string) => string | null;

/** A longer rest than a day is an error of the endpoint, or a limit that no run can wait for. */
export const longestPauseMs = 24 * 3_600_000;

/**
 * Reads the limits that an endpoint tells in headers: OpenAI's and its imitators' (`x-ratelimit-remaining-requests`, with times such as
 * `6m0s`, or numbers of seconds), Anthropic's (`anthropic-ratelimit-requests-remaining`, with RFC 3339 times), and those of
 * gateways without kinds (`x-ratelimit-remaining`), which count requests. `askedPauseMs` is what it asks for in other ways.
 */
export function parseToldLimits(header: ReadHeader, askedPauseMs: number | undefined, nowMs: number): ToldLimits {
  const told = (kind: 'requests' | 'tokens'): ToldLimit | undefined =>
    parseToldLimit((part) => header(`x-ratelimit-${part}-${kind}`), nowMs) ??
    parseToldLimit((part) => header(`anthropic-ratelimit-${kind}-${part}`), nowMs);
  const requests = told('requests') ?? parseToldLimit((part) => header(`x-ratelimit-${part}`), nowMs);
  const tokens = told('tokens');
  return {
    ...(requests === undefined ? {} : { requests }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(askedPauseMs === undefined ? {} : { pauseMs: Math.min(longestPauseMs, Math.max(0, askedPauseMs)) }),
  };
}

function parseToldLimit(
  part: (name: 'limit' | 'remaining' | 'reset') => string | null,
  nowMs: number,
): ToldLimit | undefined {
  const remaining = parseNonNegativeNumber(part('remaining'));
  const resetMs = parseWaitMs(part('reset'), nowMs);
  if (remaining === undefined || resetMs === undefined) return undefined;
  return { limit: parseNonNegativeNumber(part('limit')), remaining, resetMs };
}

function parseNonNegativeNumber(text: string | null): number | undefined {
  const value = Number(text?.trim() || 'none');
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const duration = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;

/** Seconds since 1970 are larger than any wait, and milliseconds since 1970 larger than these. */
const [leastEpochSeconds, leastEpochMs] = [1e9, 1e11];

/** Reads a wait in milliseconds: `6m0s`, `200ms`, a number of seconds, a moment as a number since 1970, or a date. */
export function parseWaitMs(text: string | null | undefined, nowMs: number): number | undefined {
  const written = text?.trim().toLowerCase() ?? '';
  if (duration.test(written)) {
    const parts = written.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g);
    return [...parts].reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitsMs[unit] ?? 0), 0);
  }
  const number = parseNonNegativeNumber(written);
  if (number !== undefined) {
    if (number >= leastEpochMs) return Math.max(0, number - nowMs);
    return number >= leastEpochSeconds ? Math.max(0, number * 1_000 - nowMs) : number * 1_000;
  }
  // Other texts than dates are dates to some engines.
  const date = /^\d{4}-\d{2}-\d{2}t|\d{4} \d{2}:/.test(written) ? Date.parse(written) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/**
 * Returns the wait that a message asks for in words, in milliseconds: OpenAI's "Please try again in 6m0s", Gemini's "Please retry
 * in 37.2s"; undefined if it asks for none.
 */
export function findWaitMsInMessage(message: string): number | undefined {
  const found = /\b(?:try again|retry)\s+(?:in|after)\s+((?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+)/i.exec(message);
  return found?.[1] === undefined ? undefined : parseWaitMs(found[1], 0);
}
