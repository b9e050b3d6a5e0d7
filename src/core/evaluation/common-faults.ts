import { attemptsOf } from './basis.ts';
import type { EvaluationCase } from './case.ts';

const told = 3;

/** What broke attempts for good, the commonest first, each with how often: for whoever has to mend it. */
export function commonFaults(cases: readonly EvaluationCase[]): string[] {
  const counts = new Map<string, number>();
  for (const { fault } of cases.flatMap(attemptsOf)) {
    if (fault === null) continue;
    const what = `${fault.where === 'model' ? "the agent's model" : `the server ${fault.name}`}: ${fault.detail}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, told)
    .map(([what, attempts]) => `${what} (${attempts} ${attempts === 1 ? 'time' : 'times'})`);
}
