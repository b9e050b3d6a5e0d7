import { quantile } from '#core/statistics/quantile.ts';
import { addUsage, noUsage } from '#core/units/unit.ts';
import type { AttemptRecord } from './case.ts';
import type { Durations } from './results-record.ts';

/**
 * What an agent's attempts cost it, with what infrastructure faults made it spend in vain. Null where no call of a model was seen:
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
  const seen = spent.calls > 0;
  const tokens = seen ? spent.promptTokens + spent.completionTokens : null;
  const costUsd = seen ? spent.costUsd : null;
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
