import { refuse } from '#core/values/errors.ts';
import { listUnitsThatWordingsWereWrittenFrom } from '#core/evaluation/overlay/written-from.ts';
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
import type { EvaluationLife } from './evaluation-life.ts';
import type { EvaluationPlans } from './evaluation-plans.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** Cases that are read at once: each has traces of up to 1 MiB, and a call between objects carries at most 32 MiB. */
const casesPerRead = 8;

/** Why an attempt that the earlier evaluation did not make cannot be judged. */
const notMade = 'the evaluation that is judged again did not make this attempt';

/** What judging again needs of an evaluation: of the one that made the attempts, or of the one that judges them. */
interface Host {
  readonly store: EvaluationStore;
  readonly life: EvaluationLife;
  readonly cases: EvaluationCases;
  readonly plans: EvaluationPlans;
  readonly labels: () => EvaluationLabels;
}

/** Passes the attempts of one evaluation to another one, which judges them again. */
export class EvaluationRejudging {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Returns what an evaluation that judges this one again begins with; refuses while attempts are still made. */
  describeForJudgingAgainIfOver(): Result<EvaluationToJudgeAgain> {
    const { creation, standing } = this.#host.life;
    if (!isOver(standing.status))
      return refuse('wrong-state', `the evaluation is ${standing.status}; it can be judged again when it is over`);
    const { config, agents, seen = listUnitsThatWordingsWereWrittenFrom(agents) } = creation;
    return ok({ config, agents: agents.map(makeUploadedAgentFromAgent), seen });
  }

  /** Cases after one (empty: from the first), as many as one call carries; none after the last. */
  listCasesToJudgeAgain(after: string): CaseToJudgeAgain[] {
    const { store, labels } = this.#host;
    return store.listCases(after, casesPerRead).map((each) => {
      const traces = store.readTracesOfCase(each.id);
      return {
        id: each.id,
        unit: each.unit,
        plan: store.getUnitAndSubIntentPlanOrThrow(each.unit).plan,
        attempts: each.requests.flatMap((name) => {
          const [attempt, trace] = [each.attempts[name], traces[name]];
          return attempt === undefined || trace === undefined ? [] : [makeAttemptToJudgeAgain(name, attempt, trace)];
        }),
        verdicts: labels().listCountedVerdictsOfCase(each),
        labels: labels().listLabelsOfCase(each),
      };
    });
  }

  /** Takes cases of the evaluation that is judged again. Those that are here already are passed over. */
  async commitAttemptsOfEarlierEvaluation(cases: readonly CaseToJudgeAgain[]): Promise<void> {
    const { store, life, plans, labels } = this.#host;
    for (const { id, unit, plan, attempts, verdicts, labels: given } of cases) {
      if (isOver(life.standing.status)) return;
      if (plan?.ok === true) plans.storeFirstPlan(unit, plan, []);
      labels().storeLabelsUnlessPresent(given);
      if (life.creation.rejudges !== null) labels().storeEarlierVerdictsAsVotes(id, life.creation.rejudges, verdicts);
      for (const attempt of attempts) {
        const present = store.getCaseOrThrow(id);
        if (waitsForAttemptAtRequest(present, attempt.side))
          await this.#host.cases.commitResultAndEndWhatIsDone(present, attempt);
      }
      while (store.getCaseOrThrow(id).stage.kind === 'attempt' && (await this.#host.cases.failOpenStage(id, notMade)));
    }
  }
}
