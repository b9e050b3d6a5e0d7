import type { StrategyName } from '#core/exploration/config.ts';
import { strategies } from '#core/exploration/strategies.ts';
import type { RoundReading } from '#core/exploration/reading-record.ts';
import { roundEstimateWithin } from '#core/statistics/richness/recapture.ts';
import { wholeNumberText, countWithNoun, percentText } from '../command-line/text.ts';

/**
 * A short explanation of probeCoverage. Popular transitions weigh more in it, so it is not a share of all true
 * transitions.
 */
export const probeCoverageMeaning = 'chance that a transition of a fresh, unsteered unit is known already';

/** A caveat for reading the estimate of all transitions. */
export function allTransitionsCaveatText(strategy: StrategyName): string {
  const { estimateFrom, usesFeedback } = strategies[strategy];
  if (estimateFrom === 'recapture') return 'counts those not found as no rarer than those found, so rather too low';
  return usesFeedback ? 'Chao1 as published; feedback makes it overshoot' : 'Chao1, a lower bound in expectation';
}

/** probeCoverage with both of its intervals. */
export function probeCoverageText({ probeCoverage }: Pick<RoundReading, 'probeCoverage'>): string {
  if (probeCoverage === null) return 'no probe has made a transition yet';
  const { value, low, high, anytimeLow } = probeCoverage;
  return `${percentText(value)} (95%: ${percentText(low)} to ${percentText(high)}; however often one looks: at least ${percentText(anytimeLow)})`;
}

/** The estimate of all transitions, such as `about 3,800 transitions in all, 2,250 to 6,850`. */
export function allTransitionsText({ allTransitions, transitions }: EstimatedReading): string {
  if (allTransitions === undefined) return 'no estimate: an earlier release read this round';
  const { estimate, probes, possible } = allTransitions;
  if (estimate === null)
    return probes === 0 ? 'no estimate yet' : `no estimate yet: ${countWithNoun(probes, 'probe')} with transitions`;
  const { value, low, high } = roundEstimateWithin(estimate, transitions, possible);
  const all = `about ${countWithNoun(value, 'transition')} in all`;
  const most = high === possible ? `, the most that can exist` : '';
  return low === high ? `${all}${most}` : `${all}, ${wholeNumberText(low)} to ${wholeNumberText(high)}${most}`;
}

/** What there is to be said of the estimate, with its caveat if there is one. */
export function allTransitionsTexts(reading: EstimatedReading, strategy: StrategyName): string[] {
  const text = allTransitionsText(reading);
  return reading.allTransitions?.estimate ? [text, allTransitionsCaveatText(strategy)] : [text];
}

/** The estimate for cells of tables, such as `3,800 (2,250 to 6,850)`; empty without an estimate. */
export function allTransitionsCell({ allTransitions, transitions }: EstimatedReading): string {
  if (!allTransitions?.estimate) return '';
  const { value, low, high } = roundEstimateWithin(allTransitions.estimate, transitions, allTransitions.possible);
  return `${wholeNumberText(value)} (${wholeNumberText(low)} to ${wholeNumberText(high)})`;
}

type EstimatedReading = Pick<RoundReading, 'allTransitions' | 'transitions'>;

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
