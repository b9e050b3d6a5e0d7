import { DurableObject } from 'cloudflare:workers';
import { refuseSplitBeyondSight, type Sight } from '#core/access/access.ts';
import type { AttemptPlace, Label, NewLabel, NewVotes, StoredCounts } from '#core/evaluation/labels.ts';
import type { VerdictAgreement } from '#core/evaluation/verdict-agreement.ts';
import { ok, type Result } from '#core/values/result.ts';
import type { CaseToJudgeAgain, EvaluationToJudgeAgain } from '#core/evaluation/judge-again.ts';
import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { namePanelMembers } from '#core/scoring/votes.ts';
import type { ImportedAttempts, ImportedCounts } from '#core/evaluation/imported-attempts.ts';
import { EvaluationImport } from './evaluation-import.ts';
import { EvaluationRejudging } from './evaluation-rejudging.ts';
import { EvaluationLabels } from './evaluation-labels.ts';

/** The parts of an evaluation that labelling and judging again need. */
export type JudgedParts = Omit<ConstructorParameters<typeof EvaluationRejudging>[0], 'labels'>;

/** What people and other judges say of the attempts of an evaluation, judging them again, and importing them: what the API calls. */
export abstract class JudgedEvaluation<Env> extends DurableObject<Env> {
  protected abstract getEvaluationParts(): JudgedParts;

  /** Refuses a reader who may not see single units, their chains or their tools, and anyone before the evaluation exists. */
  protected refuseUnlessSeesUnits(sight: Sight): Result<null> {
    const { life } = this.getEvaluationParts();
    const created = life.callReaderIfExists(() => null);
    return created.ok ? refuseSplitBeyondSight(sight, life.creation.config.split) : created;
  }

  addLabels(
    labels: readonly NewLabel[],
    by: Pick<Label, 'labeller' | 'key' | 'at'>,
    sight: Sight,
  ): Result<StoredCounts> {
    const found = this.#labelsUnlessRefused(sight);
    return found.ok ? found.value.addLabels(labels, by) : found;
  }

  addVotes(votes: NewVotes, sight: Sight): Result<StoredCounts> {
    const found = this.#labelsUnlessRefused(sight);
    return found.ok ? found.value.addVotes(votes) : found;
  }

  /** Labels after a cursor, of one labeller or of all. */
  listLabels(labeller: string | null, after: string, limit: number, sight: Sight): Result<Label[]> {
    const found = this.#labelsUnlessRefused(sight);
    return found.ok ? ok(found.value.listLabels(labeller, after, limit)) : found;
  }

  /** Attempts that this labeller has not labelled, after a cursor. */
  listUnlabelled(labeller: string, after: string, limit: number, sight: Sight): Result<AttemptPlace[]> {
    const found = this.#labelsUnlessRefused(sight);
    return found.ok ? ok(found.value.listAttemptsUnlabelledBy(labeller, after, limit)) : found;
  }

  /** Whether there are verdicts besides those of one judge: a panel's, people's, or judges' that were asked elsewhere. */
  protected get hasOtherVerdicts(): boolean {
    return this.getEvaluationParts().life.creation.panel.length > 0 || this.#labels.hasLabelsOrVotes();
  }

  measureAgreement(): Result<VerdictAgreement> {
    const found = this.#labelsUnlessRefused('everything');
    return found.ok ? ok(found.value.measureAgreement()) : found;
  }

  async importAttempts(imported: ImportedAttempts, sight: Sight): Promise<Result<ImportedCounts>> {
    const found = this.#labelsUnlessRefused(sight);
    return found.ok ? new EvaluationImport(this.getEvaluationParts()).importAttempts(imported) : found;
  }

  /** Returns what an evaluation that judges this one again begins with; refuses while attempts are still made. */
  getConfigAndAgentsToJudgeAgain(): Result<EvaluationToJudgeAgain> {
    const found = this.#labelsUnlessRefused('everything');
    return found.ok ? this.#rejudging.describeForJudgingAgainIfOver() : found;
  }

  /** Cases for an evaluation that judges them again, after one of them; none after the last. */
  listCasesToJudgeAgain(after: string): CaseToJudgeAgain[] {
    return this.#rejudging.listCasesToJudgeAgain(after);
  }

  /** Takes cases of the evaluation that is judged again. Idempotent. */
  commitCasesToJudgeAgain(cases: readonly CaseToJudgeAgain[]): Promise<void> {
    return this.#rejudging.commitAttemptsOfEarlierEvaluation(cases);
  }

  /** Starts the instance that continues an import for one without steps or requests left. Idempotent. */
  startNextImport(driver: number): Promise<void> {
    return this.getEvaluationParts().life.startNextDriver(driver);
  }

  get #labels(): EvaluationLabels {
    const { judge, panel, config, rejudges, protocol } = this.getEvaluationParts().life.creation;
    const judges = namePanelMembers([judge, ...panel].map(({ model }) => model));
    const { verdict } = getProtocol(protocol);
    const { seed } = config;
    return new EvaluationLabels(this.ctx.storage, { judge: judge.model, verdict, judges, seed, rejudges });
  }

  get #rejudging(): EvaluationRejudging {
    return new EvaluationRejudging({ ...this.getEvaluationParts(), labels: () => this.#labels });
  }

  /** Returns the labels for a reader who may see single units; refuses for others. */
  #labelsUnlessRefused(sight: Sight): Result<EvaluationLabels> {
    const readable = this.refuseUnlessSeesUnits(sight);
    return readable.ok ? ok(this.#labels) : readable;
  }
}
