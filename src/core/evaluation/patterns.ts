import {
  failurePatternOf,
  failurePatterns,
  type FailurePattern,
  type ToolTraits,
} from '#core/metrics/failure-patterns.ts';
import { bothAttempts, toolsOf, type ResultsBasis } from './basis.ts';
import type { EvaluationCase } from './case.ts';

/** What the rule of patterns knows of the tools of an evaluation. */
export const traitsOf = ({ tools }: Pick<ResultsBasis, 'tools'>): ToolTraits =>
  new Map(tools.map((tool) => [tool.name, tool]));

/** The pattern of failure that a case shows; null for none, and where it was not evaluated. */
export function patternOfCase(
  each: EvaluationCase,
  chain: readonly string[],
  traits: ToolTraits,
): FailurePattern | null {
  const made = bothAttempts(each);
  return made === null ? null : failurePatternOf(chain, toolsOf(made.source), toolsOf(made.followUp), traits).pattern;
}

/** How many of the cases show which pattern. */
export function patternsOf(
  cases: readonly EvaluationCase[],
  basis: Pick<ResultsBasis, 'units' | 'tools'>,
): Record<FailurePattern, number> {
  const traits = traitsOf(basis);
  const chains = new Map(basis.units.map(({ id, chain }) => [id, chain]));
  const found = cases.map((each) => patternOfCase(each, chains.get(each.unit) ?? [], traits));
  const count = (pattern: FailurePattern): number => found.filter((each) => each === pattern).length;
  const [incomplete, noise, unstable] = failurePatterns;
  return { [incomplete]: count(incomplete), [noise]: count(noise), [unstable]: count(unstable) };
}
