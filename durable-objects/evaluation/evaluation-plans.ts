import { RpcTarget } from 'cloudflare:workers';
import type { SubIntentPlan } from '#core/evaluation/sub-intent-plan.ts';
import { addUsage, sumUsageOfCalls } from '#core/models/usage.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { EvaluationCases } from './evaluation-cases.ts';
import type { EvaluationLife } from './evaluation-life.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** How long a case waits for another one's plan of their unit before it asks again. */
const planPatienceMs = 60_000;

/** The plans of an evaluation's units: each is made once, by the case that asks first. */
export class EvaluationPlans extends RpcTarget {
  readonly #store: EvaluationStore;
  readonly #life: EvaluationLife;
  readonly #cases: EvaluationCases;
  /** The cases that plan a unit, and those that wait for them. */
  readonly #planning = new Map<string, { readonly by: string; readonly done: PromiseWithResolvers<void> }>();

  constructor(store: EvaluationStore, life: EvaluationLife, cases: EvaluationCases) {
    super();
    this.#store = store;
    this.#life = life;
    this.#cases = cases;
  }

  /** Returns a unit's plan; null if this case must make it. Waits while another case is making it. */
  async findOrClaim(unit: string, by: string): Promise<SubIntentPlan | null> {
    for (;;) {
      const { plan } = this.#store.getUnitAndSubIntentPlanOrThrow(unit);
      const planner = this.#planning.get(unit);
      if (plan !== null) return plan;
      if (planner === undefined || planner.by === by) {
        if (planner === undefined) this.#planning.set(unit, { by, done: Promise.withResolvers() });
        return null;
      }
      // An interrupted planner never reports back, so the next one makes the plan.
      const patience = setTimeout(() => this.#removePlannerAndWakeWaiters(unit), planPatienceMs);
      await planner.done.promise;
      clearTimeout(patience);
    }
  }

  /** Stores a unit's plan; the first one counts. */
  storeFirst(id: string, plan: SubIntentPlan, calls: readonly ModelCall[]): SubIntentPlan {
    const known = this.#store.getUnitAndSubIntentPlanOrThrow(id).plan;
    if (known !== null) return known;
    if (!isOver(this.#life.standing.status)) {
      this.#life.transaction(() => {
        this.#store.writeSubIntentPlan(id, plan);
        this.#cases.changeStandingAndCountWrittenRows((now) => ({
          ...now,
          judgeUsage: addUsage(now.judgeUsage, sumUsageOfCalls(calls)),
        }));
      });
    }
    this.#removePlannerAndWakeWaiters(id);
    return plan;
  }

  #removePlannerAndWakeWaiters(unit: string): void {
    this.#planning.get(unit)?.done.resolve();
    this.#planning.delete(unit);
  }
}
