import type { Trace } from './trace.ts';

/** Returns when an attempt began, in milliseconds since 1970; null if its trace does not say it, or says it as no date. */
export function findStartMsOrNull({ startedAt }: Pick<Trace, 'startedAt'>): number | null {
  const ms = Date.parse(startedAt ?? '');
  return Number.isNaN(ms) ? null : ms;
}
