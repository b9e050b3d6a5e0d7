import type { CostEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import { withRuleAgentsLast } from './rule-agents.ts';
import { getProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { Summary } from '#core/statistics/summary.ts';
import type { AgentResult, EvaluationResults } from './record.ts';
import type { PartMean } from './results-record.ts';

/** Sorts agents by their mean of the protocol's headline, best first; those without one come last, and rule agents after all others. */
export function sortAgentsByHeadlineMean({
  agents,
  protocol,
  ruleAgents,
}: Pick<EvaluationResults, 'agents' | 'protocol' | 'ruleAgents'>): AgentResult[] {
  const { headline } = getProtocol(protocol);
  const sorted = agents.toSorted((a, b) => (b.scores[headline].mean ?? -1) - (a.scores[headline].mean ?? -1));
  return withRuleAgentsLast(sorted, { ruleAgents });
}

/** Returns a difference that can be told, rounded up: a little more is told too, a little less is not. */
export const toldDifferenceText = (difference: number): string => (Math.ceil(difference * 100 - 1e-9) / 100).toFixed(2);

/** The same for a cell; empty where nothing could be told, or an earlier release compared. */
export const toldCell = (difference: number | null | undefined): string =>
  difference === null || difference === undefined ? '' : toldDifferenceText(difference);

/** Says what an evaluation could tell before it runs. */
export const toldBeforehandText = ({
  units,
  difference,
  differing,
  powerAtTenth,
}: NonNullable<CostEstimate['tells']>): string =>
  `${units} units tell differences of ${toldDifferenceText(difference)} or more between two agents (power 80%, error 5%, if ${differing * 100}% of the units come out differently); one of 0.10 in ${(100 * powerAtTenth).toFixed(0)}% of runs`;

/** What a comparison could have told, for the note of its table. */
export const toldDifferenceNote =
  'Tells: the smallest true difference that so many units show in four comparisons of five, by how much the units differ.';

/** Says why nothing passes or fails under a protocol without a verdict. */
export const protocolWithoutVerdictText = (protocol: ProtocolKey): string =>
  `${getProtocol(protocol).title} marks attempts and says of none that it passed: there is no pass@k, no test of passes, and no failed case.`;

/**
 * Formats a summary: `0.83 [0.79, 0.87]`, with the number of unscored units if there are any; `none` if it is missing.
 */
export function summaryText(summary: Summary | undefined): string {
  if (summary === undefined) return 'none';
  const { mean, low, high, unscored } = summary;
  const interval = low === null || high === null ? '' : ` [${fixedDigitsText(low)}, ${fixedDigitsText(high)}]`;
  const without = unscored === 0 ? '' : ` (${unscored} unscored)`;
  return mean === null ? `none${without}` : `${fixedDigitsText(mean)}${interval}${without}`;
}

/** Formats the mean of a part with its number of units; `none` if no unit has it. */
export const partMeanText = (part: PartMean | undefined): string =>
  part === undefined || part.mean === null ? 'none' : `${fixedDigitsText(part.mean, 3)}, n = ${part.n}`;

/** Formats a number with a number of digits; a difference that rounds to zero has no sign. */
export function fixedDigitsText(value: number, digits = 2): string {
  const text = value.toFixed(digits);
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text;
}

/** Formats a difference with its sign: `+0.250`. */
export function signedDifferenceText(value: number): string {
  const text = fixedDigitsText(value, 3);
  return text.startsWith('-') || Number(text) === 0 ? text : `+${text}`;
}

/** Formats a p-value with three digits, or as smaller than those can show. */
export const pValueText = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${fixedDigitsText(p, 3)}`);
