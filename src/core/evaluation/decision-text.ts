import type { Decision, PairDecision } from './decision.ts';

/** Says in one sentence what the drawn units told: which agent is better, after how many of how many units, and the error. */
export function decisionSentence(decision: Decision): string {
  const [pair] = decision.pairs;
  return decision.pairs.length === 1 && pair !== undefined
    ? `${pairText(pair, decision)}, ${unitsText(pair.units, decision)}${errorText(decision)}`
    : `${rankingText(decision)}, ${unitsText(decision.units, decision)}${errorText(decision)}`;
}

/** Says what is known of two agents, such as `b is better than a`. */
export function pairText({ a, b, verdict }: PairDecision, { difference }: Pick<Decision, 'difference'>): string {
  switch (verdict) {
    case 'better':
      return `${b} is better than ${a}`;
    case 'worse':
      return `${a} is better than ${b}`;
    case 'no-difference':
      return `${a} and ${b} do not differ by more than ${difference}`;
    case 'undecided':
      return `${a} and ${b} are not told apart`;
  }
}

function rankingText({ best, pairs }: Decision): string {
  const told = pairs.filter(({ verdict }) => verdict !== 'undecided').length;
  return `${best === null ? 'no agent is better than all others' : `${best} is the best`}, ${told} of ${pairs.length} pairs are decided`;
}

const unitsText = (units: number, { of }: Pick<Decision, 'of'>): string =>
  units === of ? `with all ${of} units` : `after ${units} of ${of} units`;

const errorText = ({ error, pairs }: Decision): string =>
  pairs.every(({ verdict }) => verdict === 'undecided') ? '' : `, error at most ${Number((100 * error).toFixed(2))}%`;
