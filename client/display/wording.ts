import type { StrategyName } from '#core/exploration/config.ts';
import { strategies } from '#core/exploration/strategies.ts';
import type { RoundReading } from '#core/exploration/reading-record.ts';
import { count, percent } from '../command-line/text.ts';

/**
 * A short explanation of probeCoverage. Popular transitions weigh more in it, so it is not a share of all true
 * transitions.
 */
export const probeCoverageMeaning = 'chance that a transition of a fresh, unsteered unit is known already';

/** A caveat for reading Chao1. */
export const chao1Caveat = (strategy: StrategyName): string =>
  strategies[strategy].usesFeedback
    ? 'feedback steers away from the known, so it overshoots'
    : 'a lower bound for the number of transitions';

/** probeCoverage with both of its intervals. */
export function probeCoverageText({ probeCoverage }: Pick<RoundReading, 'probeCoverage'>): string {
  if (probeCoverage === null) return 'no probe has made a transition yet';
  const { value, low, high, anytimeLow } = probeCoverage;
  return `${percent(value)} (95%: ${percent(low)} to ${percent(high)}; however often one looks: at least ${percent(anytimeLow)})`;
}

/** Chao1 with its interval. */
export const chao1Text = ({ chao1 }: Pick<RoundReading, 'chao1'>): string =>
  `${count(chao1.estimate)} (95%: ${count(chao1.low)} to ${count(chao1.high)})`;

/** Executed transitions. */
export const transitionsText = ({
  transitions,
  valuesPassed,
}: Pick<RoundReading, 'transitions' | 'valuesPassed'>): string =>
  `${count(transitions)} executed, ${count(valuesPassed)} of them passing a value`;

/** Tools that ran, out of those that count. */
export function toolsText({
  nodeCoverage: { value, covered, of, setAside },
}: Pick<RoundReading, 'nodeCoverage'>): string {
  const share = value === null ? '' : ` (node coverage ${percent(value)})`;
  return `${count(covered)} of ${count(of)} executed${share}${setAside === 0 ? '' : `, ${count(setAside)} set aside`}`;
}
