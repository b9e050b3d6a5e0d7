import type { StrategyName } from '#core/exploration/config.ts';
import { strategies } from '#core/exploration/strategies.ts';
import type { RoundReading } from '#core/exploration/reading-record.ts';
import { wholeNumberText, percentText } from '../command-line/text.ts';

/**
 * A short explanation of probeCoverage. Popular transitions weigh more in it, so it is not a share of all true
 * transitions.
 */
export const probeCoverageMeaning = 'chance that a transition of a fresh, unsteered unit is known already';

/** A caveat for reading Chao1. */
export const chao1CaveatText = (strategy: StrategyName): string =>
  strategies[strategy].usesFeedback
    ? 'feedback steers away from the known, so it overshoots'
    : 'a lower bound for the number of transitions';

/** probeCoverage with both of its intervals. */
export function probeCoverageText({ probeCoverage }: Pick<RoundReading, 'probeCoverage'>): string {
  if (probeCoverage === null) return 'no probe has made a transition yet';
  const { value, low, high, anytimeLow } = probeCoverage;
  return `${percentText(value)} (95%: ${percentText(low)} to ${percentText(high)}; however often one looks: at least ${percentText(anytimeLow)})`;
}

/** Chao1 with its interval. */
export const chao1Text = ({ chao1 }: Pick<RoundReading, 'chao1'>): string =>
  `${wholeNumberText(chao1.estimate)} (95%: ${wholeNumberText(chao1.low)} to ${wholeNumberText(chao1.high)})`;

/** Executed transitions. */
export const executedTransitionsText = ({
  transitions,
  valuesPassed,
}: Pick<RoundReading, 'transitions' | 'valuesPassed'>): string =>
  `${wholeNumberText(transitions)} executed, ${wholeNumberText(valuesPassed)} of them passing a value`;

/** Tools that ran, out of all: one that was set aside because it never worked stays among them. */
export function executedToolsText({
  nodeCoverage: { covered, of, setAside },
}: Pick<RoundReading, 'nodeCoverage'>): string {
  const all = of + setAside;
  const share = all === 0 ? '' : ` (${percentText(covered / all)})`;
  const never = setAside === 0 ? '' : `, ${wholeNumberText(setAside)} set aside because they never worked`;
  return `${wholeNumberText(covered)} of ${wholeNumberText(all)} executed${share}${never}`;
}
