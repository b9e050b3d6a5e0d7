import { quantileOfSorted } from '#core/statistics/quantile.ts';
import type { AttemptSums, EffortSums, KnownSum } from './agent-figures.ts';
import type { Durations, PerAttempt } from './results-record.ts';

/**
 * Sums up what an agent's attempts used, including tries that faults broke. Null if no tokens of a model were seen: the
 * usage of an external agent is unknown.
 */
export interface Effort {
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly tokensPerAttempt: number | null;
  readonly costUsdPerAttempt: number | null;
  readonly durationMs: Durations;
  readonly perAttempt: PerAttempt;
}

/** Sums up the usage of attempts. */
export function summariseEffort(attempts: AttemptSums): Effort {
  const taken = attempts.promptTokens + attempts.completionTokens;
  const tokens = taken > 0 ? taken : null;
  const costUsd = taken > 0 ? attempts.costUsd : null;
  const perAttempt = (total: number | null) => (total === null ? null : total / attempts.made);
  const times = attempts.durationsMs.toSorted((a, b) => a - b);
  return {
    tokens,
    costUsd,
    tokensPerAttempt: perAttempt(tokens),
    costUsdPerAttempt: perAttempt(costUsd),
    perAttempt: meanEffortPerAttempt(attempts),
    durationMs:
      times.length === 0 ? null : { median: quantileOfSorted(times, 0.5), p95: quantileOfSorted(times, 0.95) },
  };
}

/** Returns what an attempt took on average. */
export const meanEffortPerAttempt = ({ turns, tools, routes, calls }: EffortSums): PerAttempt => ({
  turns: meanOrNull(turns),
  tools: meanOrNull(tools),
  calls: meanOrNull({ sum: calls, n: tools.n }),
  routes: meanOrNull(routes),
});

const meanOrNull = ({ sum, n }: KnownSum): number | null => (n === 0 ? null : sum / n);
