import { hasSucceeded } from '#core/traces/step-outcome.ts';
import type { Step } from '#core/traces/trace.ts';
import type { ArgumentOrigin } from '#core/units/answers.ts';
import { makeTraceScorer } from './scorer.ts';
import { makeScore, makeUnscored, type Score } from './score.ts';

export type ChainParts = {
  /** Expected tools that succeeded when all values that they need had been there. */
  readonly succeeded: number;
  readonly expected: number;
};

type CalledTool = Pick<Step, 'tool' | 'outcome' | 'reported'>;

/** For each step of a chain, from 0, the earlier steps whose results it takes values from. */
type Sources = readonly ReadonlySet<number>[];

/**
 * Returns whether every expected tool succeeded, 1 or 0, in an order that the values passed between them demand: a step
 * whose argument comes from a field of an earlier step must follow that one. Where no value passes, any order counts; other calls
 * in between do no harm. A tool that the chain has twice must succeed twice. `origins` are the unit's sources of
 * arguments. Whether the right values were passed is not looked at, nor is the answer: this says nothing about success.
 */
export function scoreChainCompletion(
  chain: readonly string[],
  origins: readonly ArgumentOrigin[],
  steps: readonly CalledTool[],
): Score<ChainParts> {
  if (chain.length === 0) return makeUnscored('no-chain', { succeeded: 0, expected: 0 });
  const succeeded = assignCallsToSteps(chain, listSourceStepsByStep(chain, origins), steps).size;
  return makeScore(
    succeeded === chain.length ? 1 : 0,
    { succeeded, expected: chain.length },
    `${succeeded} of ${chain.length} expected tools succeeded in an order in which their values could pass.`,
  );
}

const listSourceStepsByStep = (chain: readonly string[], origins: readonly ArgumentOrigin[]): Sources =>
  chain.map(
    (_, at) =>
      new Set(
        origins.flatMap(({ step, source }) =>
          step === at + 1 && source.kind === 'field' && source.step < step ? [source.step - 1] : [],
        ),
      ),
  );

/**
 * Gives each step of the chain the earliest successful call of its tool after the calls of its sources. Of two steps
 * with the same tool, the one that more steps depend on chooses first.
 */
function assignCallsToSteps(
  chain: readonly string[],
  sources: Sources,
  steps: readonly CalledTool[],
): ReadonlyMap<number, number> {
  const calls = new Map<number, number>();
  const used = new Set<number>();
  const dependents = chain.map((_, at) => sources.filter((of) => of.has(at)).length);
  const open = new Set(chain.keys());
  for (;;) {
    const [next] = [...open]
      .filter((at) => [...(sources[at] ?? [])].every((source) => calls.has(source)))
      .toSorted((a, b) => (dependents[b] ?? 0) - (dependents[a] ?? 0) || a - b);
    if (next === undefined) return calls;
    open.delete(next);
    const after = Math.max(-1, ...[...(sources[next] ?? [])].map((source) => calls.get(source) ?? -1));
    const found = steps.findIndex(
      (step, place) => place > after && !used.has(place) && hasSucceeded(step) && step.tool === chain[next],
    );
    if (found < 0) continue;
    used.add(found);
    calls.set(next, found);
  }
}

export const chain = makeTraceScorer({
  key: 'chain',
  title: 'chain',
  name: 'completion of the chain',
  question: 'Did every expected tool succeed?',
  formula:
    '1 where every expected tool succeeded, in an order that the values passed between them demand; else 0; a case has 1 if all of its attempts have',
  caveat:
    'solving the task: another path to the same end has 0, and who looks the chain up can call it without reading the request',
  range: [0, 1],
  direction: 'higher',
  source: 'ours',
  needs: ['chain'],
  parts: [
    { key: 'succeeded', title: 'steps done', name: 'steps of the chain that succeeded' },
    { key: 'expected', title: 'steps expected', name: 'steps of the chain' },
  ],
  brief: true,
  binary: true,
  score: (evidence) => scoreChainCompletion(evidence.chain, evidence.origins, evidence.trace.steps),
});
