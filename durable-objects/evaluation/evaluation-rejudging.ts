import { RpcTarget } from 'cloudflare:workers';
import { refuse } from '#core/values/errors.ts';
import { listUnitsThatWordingsWereWrittenFrom } from '#core/evaluation/overlay/written-from.ts';
import { isModelAgent } from '#core/evaluation/config.ts';
import type { EvaluationToRepeat } from '#core/evaluation/record.ts';
import { waitsForAttemptAtRequest } from '#core/evaluation/case.ts';
import {
  makeUploadedAgentFromAgent,
  makeAttemptToJudgeAgain,
  type CaseToJudgeAgain,
  type EvaluationToJudgeAgain,
} from '#core/evaluation/judge-again.ts';
import { ok, type Result } from '#core/values/result.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { EvaluationCases } from './evaluation-cases.ts';
import type { EvaluationLabels } from './evaluation-labels.ts';
import { refuseUnlessCreated, type EvaluationLife } from './evaluation-life.ts';
import type { EvaluationPlans } from './evaluation-plans.ts';
import type { EvaluationStore } from './evaluation-store.ts';
import type { EvaluationTexts } from './evaluation-texts.ts';

/** Cases that are read at once: each has traces of up to 1 MiB, and a call between objects carries at most 32 MiB. */
const casesPerRead = 8;

/** Why an attempt that the earlier evaluation did not make cannot be judged. */
const notMade = 'the evaluation that is judged again did not make this attempt';

/** Passes what another evaluation needs that judges the attempts of this one again, or repeats it. */
export class EvaluationRejudging extends RpcTarget {
  readonly #store: EvaluationStore;
  readonly #life: EvaluationLife;
  readonly #cases: EvaluationCases;
  readonly #plans: EvaluationPlans;
  readonly #labels: EvaluationLabels;
  readonly #texts: EvaluationTexts;

  constructor({
    store,
    life,
    cases,
    plans,
    labels,
    texts,
  }: {
    readonly store: EvaluationStore;
    readonly life: EvaluationLife;
    readonly cases: EvaluationCases;
    readonly plans: EvaluationPlans;
    readonly labels: EvaluationLabels;
    readonly texts: EvaluationTexts;
  }) {
    super();
    this.#store = store;
    this.#life = life;
    this.#cases = cases;
    this.#plans = plans;
    this.#labels = labels;
    this.#texts = texts;
  }

  /** Returns what an evaluation that judges this one again begins with; refuses while attempts are still made, and where texts that would be judged are deleted. */
  describe(): Result<EvaluationToJudgeAgain> {
    const allowed = this.#texts.refuseIfDeleted(null);
    if (!allowed.ok) return allowed;
    const created = refuseUnlessCreated(this.#life);
    if (!created.ok) return created;
    const { creation, standing } = this.#life;
    if (!isOver(standing.status))
      return refuse('wrong-state', `the evaluation is ${standing.status}; it can be judged again when it is over`);
    const { config: whole, agents, seen = listUnitsThatWordingsWereWrittenFrom(agents) } = creation;
    // Attempts that were made cannot be saved.
    const { stop: _, ...config } = whole;
    return ok({ config, agents: agents.map(makeUploadedAgentFromAgent), seen });
  }

  /** Returns what an evaluation that repeats this one begins with; refuses where agents do not ask models by themselves. */
  describeToRepeat(): Result<EvaluationToRepeat> {
    const created = refuseUnlessCreated(this.#life);
    if (!created.ok) return created;
    const { config: whole, agents, judge, panel, embedder, estimate, preflight, protocol } = this.#life.creation;
    if (!agents.every(isModelAgent))
      return refuse('invalid-request', 'only agents that the service runs by itself can be evaluated again and again');
    const { stop: _, recordingId: __, ...config } = whole;
    return ok({
      config: { ...config, recording: 'off' },
      agents,
      judge,
      panel,
      embedder,
      estimate,
      preflight,
      protocol,
    });
  }

  /** Cases after one (empty: from the first), as many as one call carries; none after the last. */
  listCases(after: string): CaseToJudgeAgain[] {
    return this.#store.listCases(after, casesPerRead).map((each) => {
      const traces = this.#store.readTracesOfCase(each.id);
      return {
        id: each.id,
        unit: each.unit,
        plan: this.#store.getUnitAndSubIntentPlanOrThrow(each.unit).plan,
        attempts: each.requests.flatMap((name) => {
          const [attempt, trace] = [each.attempts[name], traces[name]];
          return attempt === undefined || trace === undefined ? [] : [makeAttemptToJudgeAgain(name, attempt, trace)];
        }),
        verdicts: this.#labels.listCountedVerdicts(each),
        labels: this.#labels.listOfCase(each),
      };
    });
  }

  /** Starts the instance that continues an import for one without steps or requests left. Idempotent. */
  startNextImport(driver: number): Promise<void> {
    return this.#life.startNextDriver(driver);
  }

  /** Takes cases of the evaluation that is judged again. Those that are here already are passed over. */
  async takeCases(cases: readonly CaseToJudgeAgain[]): Promise<void> {
    for (const { id, unit, plan, attempts, verdicts, labels: given } of cases) {
      if (isOver(this.#life.standing.status)) return;
      if (plan?.ok === true) this.#plans.storeFirst(unit, plan, []);
      this.#labels.storeLabelsUnlessPresent(given);
      if (this.#life.creation.rejudges !== null)
        this.#labels.storeEarlierVerdictsAsVotes(id, this.#life.creation.rejudges, verdicts);
      for (const attempt of attempts) {
        const present = this.#store.getCaseOrThrow(id);
        if (waitsForAttemptAtRequest(present, attempt.side))
          await this.#cases.commitResultAndEndWhatIsDone(present, attempt);
      }
      while (this.#store.getCaseOrThrow(id).stage.kind === 'attempt' && (await this.#cases.failOpenStage(id, notMade)));
    }
  }
}
