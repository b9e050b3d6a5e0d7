import { hasSucceeded } from '#core/traces/step-outcome.ts';
import { hasValueOfEarlierText, hasTextOrNumber } from '#core/traces/passed-values.ts';
import type { Step } from '#core/traces/trace.ts';
import type { ArgumentOrigin } from '#core/units/answers.ts';
import { makeTraceScorer } from './scorer.ts';
import { makeScore, makeUnscored, type Score } from './score.ts';

export type DependenciesParts = {
  /** Dependencies that some call kept. */
  readonly kept: number;
  /** Dependencies that the trace decides. */
  readonly decided: number;
};

/** A step of a chain whose argument takes a value that an earlier step returned. */
interface Dependency {
  readonly giver: string;
  readonly taker: string;
  readonly argument: string;
}

type Call = Pick<Step, 'tool' | 'arguments' | 'outcome' | 'reported' | 'text' | 'truncated' | 'turn'>;

/**
 * Returns the share of the unit's dependencies between calls that an attempt kept, 0..1. A dependency is an argument that the unit
 * takes from an earlier step's result. It is kept if a call of its tool has there a value that a successful call of the earlier tool returned in an
 * earlier turn: calls of one turn cannot know each other. It is left out if the value may be in the part of a result that the trace
 * does not keep, or if the argument is one that texts do not show, such as yes or no. A tool that was not called has kept nothing. Unscored
 * where the unit states no such argument, or none can be decided.
 */
export function scoreDependencies(
  chain: readonly string[],
  origins: readonly ArgumentOrigin[],
  steps: readonly Call[],
): Score<DependenciesParts> {
  const stated = listDependencies(chain, origins);
  const verdicts = stated.map((dependency) => decideWhetherDependencyKept(dependency, steps));
  const kept = verdicts.filter((verdict) => verdict === 'kept').length;
  const decided = verdicts.filter((verdict) => verdict !== 'unknown').length;
  const parts = { kept, decided };
  if (decided === 0) return makeUnscored('no-dependencies', parts);
  return makeScore(kept / decided, parts, `${kept} of ${decided} values were passed on as the unit demands.`);
}

/** Returns which arguments of a chain take values of earlier steps. */
export const listDependencies = (chain: readonly string[], origins: readonly ArgumentOrigin[]): Dependency[] =>
  origins.flatMap(({ step, argument, source }) => {
    const taker = chain[step - 1];
    const giver = source.kind === 'field' && source.step < step ? chain[source.step - 1] : undefined;
    return taker === undefined || giver === undefined ? [] : [{ giver, taker, argument }];
  });

/** Returns which arguments of a chain take values of earlier steps, in words: a line each. Empty if none does. */
export const dependenciesText = (chain: readonly string[], origins: readonly ArgumentOrigin[]): string =>
  listDependencies(chain, origins)
    .map(({ giver, taker, argument }) => `${taker} takes \`${argument}\` from what ${giver} returned.`)
    .join('\n');

function decideWhetherDependencyKept(
  { giver, taker, argument }: Dependency,
  steps: readonly Call[],
): 'kept' | 'broken' | 'unknown' {
  const takers = steps.filter(({ tool, arguments: args }) => tool === taker && args !== null);
  const givers = steps.filter((step) => step.tool === giver && hasSucceeded(step));
  let verdict: 'broken' | 'unknown' = 'broken';
  for (const { arguments: args, turn } of takers) {
    const value = args?.[topLevelArgumentOfPath(argument)];
    const earlier = givers.filter((each) => each.turn < turn);
    if (
      hasValueOfEarlierText(
        value,
        earlier.map(({ text }) => text),
      )
    )
      return 'kept';
    if (earlier.some(({ truncated }) => truncated) || (value !== undefined && !hasTextOrNumber(value)))
      verdict = 'unknown';
  }
  return verdict;
}

/** Returns the argument of a path such as `items[].name`. */
const topLevelArgumentOfPath = (path: string): string => /^[^.[\]]+/.exec(path)?.[0] ?? path;

export const dependencies = makeTraceScorer({
  key: 'dependencies',
  title: 'dependencies',
  name: 'compliance with dependencies',
  question: 'How many values were passed on from call to call as the unit demands?',
  formula:
    "the share of the unit's arguments from earlier results for which a call has a value that an earlier call of that tool returned; unscored where the unit states none",
  caveat: 'a share of solved tasks: another path to the same end passes on other values',
  range: [0, 1],
  direction: 'higher',
  source: 'MCP-Bench, section 5.1, which names it without a formula; the formula is ours',
  needs: ['dependencies'],
  parts: [
    { key: 'kept', title: 'kept', name: 'dependencies that an attempt kept' },
    { key: 'decided', title: 'decided', name: 'dependencies of a unit that the trace decides' },
  ],
  brief: false,
  binary: false,
  score: ({ chain, origins, trace }) => scoreDependencies(chain, origins, trace.steps),
});
