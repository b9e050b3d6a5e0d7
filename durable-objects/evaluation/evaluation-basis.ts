import type { Tool } from '#core/catalog/tool.ts';
import { firstWorkerOfCases } from '#core/evaluation/case-worker.ts';
import type { BasisPage } from '#core/evaluation/create-on-basis.ts';
import { makeCasesOfUnit } from '#core/evaluation/new-cases.ts';
import type { NewEvaluation } from '#core/evaluation/record.ts';
import { drawOrderKeyOfUnit } from '#core/evaluation/unit-order.ts';
import { listRequestNamesOfUnit } from '#core/benchmarks/protocols/protocols.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** Writes tools, units and the cases of units; repeating it adds no rows. */
export function storeToolsUnitsAndCases(
  store: EvaluationStore,
  { tools, units, agents, trials, seed, protocol, kinds, isSubmitted, spreads }: BasisPage,
): void {
  store.storeToolsAndUnits(tools, units);
  for (const unit of units) {
    const requests = listRequestNamesOfUnit(protocol, unit, kinds);
    const place = drawOrderKeyOfUnit(seed, unit.id);
    const spread = spreads?.[unit.id];
    if (spread !== undefined) store.draws.storeSpread(unit.id, spread);
    for (const { name, loop } of agents) {
      for (const each of makeCasesOfUnit(unit.id, [name], trials, requests))
        store.storeNewCase(each, spreads === undefined ? firstWorkerOfCases(loop, isSubmitted) : 'undrawn', place);
    }
  }
}

/** Returns the tools and the number of attempts of an evaluation; throws unless its whole basis is stored. */
export function readToolsAndCountAttemptsOrThrow(
  store: EvaluationStore,
  { tools, units, agents, config }: Pick<NewEvaluation, 'tools' | 'units' | 'agents' | 'config'>,
): { readonly own: readonly Tool[]; readonly attempts: number } {
  const names = new Set(tools);
  const { cases, requests: attempts } = store.countCasesAndRequests();
  const own = store.listTools().filter(({ name }) => names.has(name));
  if (own.length < names.size || cases !== units * agents.length * config.trials)
    throw new Error('the evaluation cannot be created: not all of its tools and units are stored');
  return { own, attempts };
}
