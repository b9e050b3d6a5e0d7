import { placeOfTransition, transitionsOf } from '#core/evaluation/agent-transitions.ts';
import type { ResultsBasis } from '#core/evaluation/basis.ts';
import { breakdownBy } from '#core/evaluation/breakdown.ts';
import type { AgentTransition, BreakdownBy, BreakdownGroup, UnitResult } from '#core/evaluation/breakdown-record.ts';
import { compareAgents } from '#core/evaluation/compare.ts';
import type { EvaluationConfig, StoredAgent } from '#core/evaluation/config.ts';
import { ok, refuse, type Result } from '#core/errors.ts';
import type { Comparison, EvaluationRecord, EvaluationResults } from '#core/evaluation/record.ts';
import { reportOf } from '#core/evaluation/report/report.ts';
import { resultOf } from '#core/evaluation/results.ts';
import { placeOfUnitResult, unitResults } from '#core/evaluation/unit-results.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** What an evaluation has come to, computed from its cases whenever somebody reads it. */
export class EvaluationReader {
  readonly #store: EvaluationStore;
  readonly #agents: readonly string[];
  readonly #config: EvaluationConfig;

  constructor(
    store: EvaluationStore,
    { agents, config }: { readonly agents: readonly StoredAgent[]; readonly config: EvaluationConfig },
  ) {
    this.#store = store;
    this.#agents = agents.map(({ name }) => name);
    this.#config = config;
  }

  results(): EvaluationResults {
    const basis = this.#basis();
    return { agents: this.#agents.map((name) => resultOf(name, basis)) };
  }

  /** After a cursor (unit, line break, agent), at most `limit`. */
  unitResults(after: string, limit: number): UnitResult[] {
    const [from = ''] = after.split('\n');
    const tools = this.#store.tools();
    const found: UnitResult[] = [];
    for (const unit of this.#store.units()) {
      if (found.length >= limit) break;
      if (unit.id < from) continue;
      const results = unitResults(unit, this.#store.casesOfUnit(unit.id), { tools });
      found.push(...results.filter((each) => placeOfUnitResult(each) > after));
    }
    return found.slice(0, limit);
  }

  breakdown(by: BreakdownBy): BreakdownGroup[] {
    return breakdownBy(by, this.#agents, this.#basis());
  }

  /** After a cursor (agent, line break, tool, line break, tool), at most `limit`. */
  transitions(after: string, limit: number): AgentTransition[] {
    const basis = this.#basis();
    return this.#agents
      .toSorted()
      .flatMap((name) => transitionsOf(name, basis))
      .filter((each) => placeOfTransition(each) > after)
      .slice(0, limit);
  }

  /** Markdown. */
  report(record: EvaluationRecord): string {
    return reportOf(record, this.#basis());
  }

  compare(a: string, b: string): Result<Comparison> {
    const unknown = [a, b].filter((name) => !this.#agents.includes(name));
    if (unknown.length > 0) {
      const names = this.#agents.join(', ');
      return refuse('not-found', `there is no agent ${unknown.join(', ')} in it; it has ${names}`);
    }
    return ok(compareAgents(a, b, this.#basis()));
  }

  #basis(): ResultsBasis {
    return {
      units: this.#store.units(),
      tools: this.#store.tools(),
      cases: this.#store.cases('', -1),
      trials: this.#config.trials,
      seed: this.#config.seed,
    };
  }
}
