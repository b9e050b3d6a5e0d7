import { quantile } from '#core/statistics/quantile.ts';
import { addUsage, noUsage } from '#core/units/unit.ts';
import type { AttemptRecord } from './case.ts';
import type { Durations } from './results-record.ts';

/** What an agent's attempts cost it, with what infrastructure faults made it spend in vain; means are null without attempts. */
export interface Effort {
  readonly tokens: number;
  readonly costUsd: number;
  readonly tokensPerAttempt: number | null;
  readonly costUsdPerAttempt: number | null;
  readonly durationMs: Durations;
}

/** Sums up what attempts took. The time is that of evaluated attempts: how long a broken one hung says nothing. */
export function effortOf(attempts: readonly AttemptRecord[]): Effort {
  const { promptTokens, completionTokens, costUsd } = attempts.map(({ usage }) => usage).reduce(addUsage, noUsage);
  const tokens = promptTokens + completionTokens;
  const n = attempts.length;
  const times = attempts
    .filter(({ evaluated }) => evaluated)
    .map(({ durationMs }) => durationMs)
    .toSorted((a, b) => a - b);
  return {
    tokens,
    costUsd,
    tokensPerAttempt: n === 0 ? null : tokens / n,
    costUsdPerAttempt: n === 0 ? null : costUsd / n,
    durationMs: times.length === 0 ? null : { median: quantile(times, 0.5), p95: quantile(times, 0.95) },
  };
}
