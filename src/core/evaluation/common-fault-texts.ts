import { listMadeAttemptsOfCase } from './case-figures.ts';
import type { EvaluationCase } from './case.ts';

const told = 3;

/** Returns what broke attempts for good, most frequent first, with counts, so that somebody can fix it. */
export function threeMostFrequentFaultTexts(cases: Iterable<EvaluationCase>): string[] {
  const counts = new Map<string, number>();
  for (const each of cases) {
    for (const { fault } of listMadeAttemptsOfCase(each)) {
      if (fault === null) continue;
      const what = `${faultOwnerText(fault)}: ${fault.detail}`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, told)
    .map(([what, attempts]) => `${what} (${attempts} ${attempts === 1 ? 'time' : 'times'})`);
}

function faultOwnerText({ where, name }: { readonly where: string; readonly name: string }): string {
  if (where === 'model') return "the agent's model";
  return where === 'service' ? 'this service itself' : `the server ${name}`;
}
