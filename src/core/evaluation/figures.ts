import { headline } from '#core/scoring/scorers.ts';
import type { Summary } from '#core/statistics/summary.ts';
import type { AgentResult, EvaluationResults } from './record.ts';

/** Agents by their mean of the headline scorer, the best one first; those without one at the end. */
export const ranked = ({ agents }: EvaluationResults): AgentResult[] =>
  agents.toSorted((a, b) => (b.scores[headline].mean ?? -1) - (a.scores[headline].mean ?? -1));

/** `0.83 [0.79, 0.87]`, with the number of units that have no score where there are any; `none` where it is missing. */
export function summaryText(summary: Summary | undefined): string {
  if (summary === undefined) return 'none';
  const { mean, low, high, unscored } = summary;
  const interval = low === null || high === null ? '' : ` [${fixed(low)}, ${fixed(high)}]`;
  const without = unscored === 0 ? '' : ` (${unscored} unscored)`;
  return mean === null ? `none${without}` : `${fixed(mean)}${interval}${without}`;
}

/** A number with so many digits; a rounded difference of next to nothing has no sign. */
export function fixed(value: number, digits = 2): string {
  const text = value.toFixed(digits);
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text;
}

/** A difference with its sign: `+0.250`. */
export function signed(value: number): string {
  const text = fixed(value, 3);
  return text.startsWith('-') || Number(text) === 0 ? text : `+${text}`;
}

/** A p-value: three digits, and no smaller than those can tell. */
export const pText = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${fixed(p, 3)}`);
