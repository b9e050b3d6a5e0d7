import { quantile } from '#core/statistics/quantile.ts';
import { addUsage, noUsage } from '#core/units/unit.ts';
import type { AttemptRecord } from './case.ts';
import type { Durations } from './results-record.ts';

/**
 * What an agent's attempts cost it, with what infrastructure faults made it spend in vain. Null where no tokens of a model were seen:
 * what an agent from outside spends is not known.
 */
export interface Effort {
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly tokensPerAttempt: number | null;
  readonly costUsdPerAttempt: number | null;
  readonly durationMs: Durations;
}

/** Sums up what attempts took. The time is that of evaluated attempts: how long a broken one hung says nothing. */
export function effortOf(attempts: readonly AttemptRecord[]): Effort {
  const spent = attempts.map(({ usage }) => usage).reduce(addUsage, noUsage);
  const taken = spent.promptTokens + spent.completionTokens;
  const tokens = taken > 0 ? taken : null;
  const costUsd = taken > 0 ? spent.costUsd : null;
  const each = (total: number | null) => (total === null ? null : total / attempts.length);
  const times = attempts
    .filter(({ evaluated }) => evaluated)
    .map(({ durationMs }) => durationMs)
    .toSorted((a, b) => a - b);
  return {
    tokens,
    costUsd,
    tokensPerAttempt: each(tokens),
    costUsdPerAttempt: each(costUsd),
    durationMs: times.length === 0 ? null : { median: quantile(times, 0.5), p95: quantile(times, 0.95) },
  };
}
