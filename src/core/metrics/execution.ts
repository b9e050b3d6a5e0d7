import { scored, type Score } from './score.ts';

/**
 * How well a unit was carried out, 0..1: the mean of TCS and MTC, the first half of the execution-completion gap. Where neither request led to a
 * call MTC has no value and TCS, which is 0 then, stands alone: doing nothing twice must not be better than doing it wrong.
 * Source: SGVEF-Loop, equation 8.
 */
export function execution(tcs: Score, mtc: Score): Score<{ tcs: number | null; mtc: number | null }> {
  const parts = { tcs: tcs.value, mtc: mtc.value };
  if (tcs.value === null) return { value: null, reason: tcs.reason, parts };
  if (mtc.value !== null) return scored((tcs.value + mtc.value) / 2, parts);
  return mtc.reason === 'both-empty' ? scored(tcs.value, parts) : { value: null, reason: mtc.reason, parts };
}
