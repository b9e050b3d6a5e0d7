import { commonPrefixLength, computeLcsLength } from './lcs.ts';
import { defaultScoring } from './parameters.ts';
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

const noAgreement: Agreement = { sa: 0, so: 0, pa: 0, fa: 0 };

/** Returns the weighted sum of the four shares. Source: SGVEF-Loop, appendix B.1, equation 4. */
export const weighAgreementShares = (parts: Agreement, weights: Agreement = defaultScoring.mtc): number =>
  weights.sa * parts.sa + weights.so * parts.so + weights.pa * parts.pa + weights.fa * parts.fa;

/**
 * Returns the metamorphic consistency of a unit, 0..1: how similar an agent's traces of the two requests are, with all
 * calls in order of issue. `categories` gives the functional class of a tool; a tool without one (it does not exist) and
 * one of the class `other` agree only with themselves. If one trace is empty the score is 0; if both are there is none, because doing nothing twice
 * shows no consistency. Source: SGVEF-Loop, appendix B.1.
 */
export const scoreMetamorphicConsistency = (
  first: readonly string[],
  second: readonly string[],
  categories: ReadonlyMap<string, string>,
  weights: Agreement = defaultScoring.mtc,
): Score<Agreement> => {
  const longer = Math.max(first.length, second.length);
  if (longer === 0) return makeUnscored('both-empty', noAgreement);
  const categoryText = (tool: string): string => {
    const category = categories.get(tool);
    return category === undefined || category === 'other' ? `tool ${tool}` : `category ${category}`;
  };
  const parts = {
    sa: computeLcsLength(first, second) / longer,
    so: jaccardIndex(new Set(first), new Set(second)),
    pa: commonPrefixLength(first, second) / longer,
    fa: computeLcsLength(first.map(categoryText), second.map(categoryText)) / longer,
  };
  return makeScore(
    weighAgreementShares(parts, weights),
    parts,
    `Of ${longer} calls at most, ${computeLcsLength(first, second)} stand in the same order in both traces.`,
  );
};

/** Returns the Jaccard index of two sets, at least one of which is not empty. */
const jaccardIndex = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
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
  caveat: 'being right: an agent that always makes the same wrong calls has 1',
  range: [0, 1],
  direction: 'higher',
  source: 'SGVEF-Loop, appendix B.1, equation 4',
  needs: ['categories'],
  parts: [
    { key: 'sa', title: 'SA', name: 'sequence agreement' },
    { key: 'so', title: 'SO', name: 'set overlap' },
    { key: 'pa', title: 'PA', name: 'prefix adequacy' },
    { key: 'fa', title: 'FA', name: 'function agreement' },
  ],
  brief: true,
  binary: false,
  score: ({ called, categories, scoring }) => {
    const [first, second] = called;
    return first === undefined || second === undefined || called.length > 2
      ? makeUnscored('not-a-pair', noAgreement)
      : scoreMetamorphicConsistency(first, second, categories, scoring.mtc);
  },
});
