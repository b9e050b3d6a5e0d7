import { RpcTarget } from 'cloudflare:workers';
import { findExhaustedPartOfBudget } from '#core/exploration/budget.ts';
import { tokensAndCostOfUsage } from '#core/exploration/reservation.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { StoredModel } from '#core/models/choices.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import { addUsage, type Usage } from '#core/models/usage.ts';
import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import type { AskedModel } from '#durable-objects/shared/objects.ts';
import type { EvaluationLife } from './evaluation-life.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** Statuses by which an endpoint refuses what a request says: that is the agent's doing, not the setting's. */
const statusesOfRequests: ReadonlySet<number> = new Set([400, 413, 422]);

/** Says which models an external agent may ask in an attempt, while the budget lasts. */
export class EvaluationModels extends RpcTarget {
  readonly #store: EvaluationStore;
  readonly #life: EvaluationLife;
  /** What open attempts have spent; lost with the object, and told again with their next requests. */
  readonly #spentInOpenAttempts = new Map<string, Usage>();

  constructor(store: EvaluationStore, life: EvaluationLife) {
    super();
    this.#store = store;
    this.#life = life;
  }

  /** Returns the model of an agent's request; refuses another model, an attempt that is over, and what no budget is left for. */
  admitRequest(attempt: string, { model, spent, isAnswered }: AskedModel): Result<StoredModel> {
    const { agent, models, state } = this.#findModelsOfAttempt(attempt);
    if (state !== 'open' || isOver(this.#life.standing.status)) return refuse('attempt-over', 'the attempt is over');
    if (models.length === 0) return refuse('not-found', `the evaluation names no model for the agent ${agent}`);
    const found = models.find((each) => each.model === model);
    if (found === undefined)
      return refuse(
        'not-found',
        `the agent ${agent} may ask ${models.map((each) => each.model).join(', ')}, not ${model.slice(0, 200)}`,
      );
    this.#spentInOpenAttempts.set(attempt, spent);
    if (isAnswered) this.#life.pauseIfEndpointRefuses({ by: `the agent ${agent}`, fault: null });
    const part = this.#findExhaustedPartOfBudget();
    return part === null ? ok(found) : refuse('model-requests-spent', `the evaluation's budget is used up: ${part}`);
  }

  /** Pauses the run if the endpoint refused for good, as it does for agents of ours. Nobody could resume a submission. */
  noteRefusal(attempt: string, fault: InfrastructureFault): void {
    const { agent } = this.#findModelsOfAttempt(attempt);
    if (this.#life.creation.submission !== null || statusesOfRequests.has(fault.status ?? 0)) return;
    this.#life.pauseIfEndpointRefuses({ by: `the agent ${agent}`, fault });
  }

  /** Counts what attempts that are under way have spent too: it is committed only when they end. */
  #findExhaustedPartOfBudget(): string | null {
    const { usage, judgeUsage } = this.#life.standing;
    const open = new Set(this.#store.listOpenClaims().map(({ attempt }) => attempt));
    for (const attempt of this.#spentInOpenAttempts.keys())
      if (!open.has(attempt)) this.#spentInOpenAttempts.delete(attempt);
    const spent = [judgeUsage, ...this.#spentInOpenAttempts.values()].reduce(addUsage, usage);
    const { config, at } = this.#life.creation;
    const wallMs = Date.now() - Date.parse(at);
    return findExhaustedPartOfBudget(config.budget, { ...tokensAndCostOfUsage(spent), wallMs, writes: 0 });
  }

  #findModelsOfAttempt(attempt: string) {
    const { evaluated, state } = this.#store.getClaimOrThrow(attempt);
    const { agent } = this.#store.getCaseOrThrow(evaluated);
    const found = this.#life.creation.agents.find(({ name }) => name === agent);
    return { agent, state, models: found?.loop === 'external' ? (found.models ?? []) : [] };
  }
}
