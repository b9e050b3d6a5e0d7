import { commonPrefixLength, lcsLength } from './lcs.ts';
import { makeCaseScorer } from './scorer.ts';
import { makeScore, makeUnscored, type Score } from './score.ts';

/** The four shares of agreement between a unit's two traces, each 0..1. */
export type Agreement = {
  /** Sequence agreement: longest common subsequence divided by the longer trace. */
  readonly sa: number;
  /** Set overlap: Jaccard similarity of the called tools. */
  readonly so: number;
  /** Prefix adequacy: common prefix divided by the longer trace. */
  readonly pa: number;
  /** Function agreement: longest common subsequence of the tools' categories divided by the longer trace. */
  readonly fa: number;
};

/**
 * These weights reproduce 7 of the 8 rows of the paper's Table 3 up to rounding; the paper does not state them. Their
 * sum is 1.
 */
const weights: Agreement = { sa: 0.35, so: 0.25, pa: 0.15, fa: 0.25 };

/** Returns the weighted sum of the four shares. Source: SGVEF-Loop, appendix B.1, equation 4. */
export const weighAgreement = (parts: Agreement): number =>
  weights.sa * parts.sa + weights.so * parts.so + weights.pa * parts.pa + weights.fa * parts.fa;

/**
 * Returns the metamorphic consistency of a unit, 0..1: how similar an agent's traces of the two requests are, with all
 * calls in order of issue. `categories` gives the functional class of a tool; a tool without one (it does not exist)
 * agrees only with itself. If one trace is empty the score is 0; if both are there is none, because doing nothing twice
 * shows no consistency. Source: SGVEF-Loop, appendix B.1.
 */
export const metamorphicConsistency = (
  source: readonly string[],
  followUp: readonly string[],
  categories: ReadonlyMap<string, string>,
): Score<Agreement> => {
  const longer = Math.max(source.length, followUp.length);
  if (longer === 0) return makeUnscored('both-empty', { sa: 0, so: 0, pa: 0, fa: 0 });
  const categoryText = (tool: string): string => {
    const category = categories.get(tool);
    return category === undefined ? `tool ${tool}` : `category ${category}`;
  };
  const parts = {
    sa: lcsLength(source, followUp) / longer,
    so: jaccard(new Set(source), new Set(followUp)),
    pa: commonPrefixLength(source, followUp) / longer,
    fa: lcsLength(source.map(categoryText), followUp.map(categoryText)) / longer,
  };
  return makeScore(
    weighAgreement(parts),
    parts,
    `Of ${longer} calls at most, ${lcsLength(source, followUp)} stand in the same order in both traces.`,
  );
};

/** Returns the Jaccard index of two sets, at least one of which is not empty. */
const jaccard = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const common = [...a].filter((item) => b.has(item)).length;
  return common / (a.size + b.size - common);
};

export const mtc = makeCaseScorer({
  key: 'mtc',
  title: 'MTC',
  name: 'metamorphic consistency',
  question: 'Does the agent call the same tools however the request is worded?',
  formula:
    'how alike the calls for the two wordings are (sequence agreement, set overlap, prefix adequacy, function agreement)',
  range: [0, 1],
  direction: 'higher',
  source: 'SGVEF-Loop, appendix B.1, equation 4',
  needs: ['categories'],
  brief: true,
  binary: false,
  score: ({ called: [source = [], followUp = []], categories }) => metamorphicConsistency(source, followUp, categories),
});
