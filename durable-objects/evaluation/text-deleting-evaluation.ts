import { judgeAgreementSection } from '#core/evaluation/report/judges-section.ts';
import type { Sight } from '#core/access/access.ts';
import { refuse } from '#core/values/errors.ts';
import { isAgentOfRules } from '#core/evaluation/config.ts';
import type { RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import type { DeletedTexts } from '#core/evaluation/delete-texts.ts';
import type { EvaluationToJudgeAgain } from '#core/evaluation/judge-again.ts';
import { ok, type Result } from '#core/values/result.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { ToolReport } from '#core/reports/tool-report/record.ts';
import type { Recording } from '#durable-objects/recording/recording.ts';
import { makeToolReportFromTraces, tracesOfCases } from '#durable-objects/shared/tool-report.ts';
import type { WordingMaterial } from '#core/reports/wording-proposal/question.ts';
import type { NewProposal } from '#core/reports/wording-proposal/record.ts';
import { collectWordingMaterial } from './wording-material.ts';
import { EvaluationTexts } from './evaluation-texts.ts';
import { JudgedEvaluation } from './judged-evaluation.ts';

export interface RecordingObjects {
  readonly RECORDING: DurableObjectNamespace<Recording>;
}

/** Delay before texts whose deletion failed are deleted again: the platform gives up an alarm after six failures. */
const retryMs = 60_000;

/** Deleting the texts of attempts, and what needs them: what the API calls. */
export abstract class TextDeletingEvaluation<Env extends RecordingObjects> extends JudgedEvaluation<Env> {
  /** Deletes the basis of a run that was never created, which can be prepared again, or texts that are kept no longer. */
  override async alarm(): Promise<void> {
    const { store, life } = this.getEvaluationParts();
    if (!life.exists) return life.transaction(() => store.deleteBasisAndCases());
    try {
      await this.#texts.deleteSomeDueTextsAndSetAlarm(Date.now());
    } catch (error) {
      console.error(JSON.stringify({ textsNotDeleted: life.creation.id, error: String(error) }));
      await this.ctx.storage.setAlarm(Date.now() + retryMs);
    }
  }

  /** Deletes the texts of a case's attempts, or of the one at a request; their figures stay. Idempotent. */
  async deleteTexts(id: string, request: RequestName | null, sight: Sight): Promise<Result<DeletedTexts>> {
    const readable = this.refuseUnlessSeesUnits(sight);
    return readable.ok ? this.#texts.deleteTextsOfCaseAndRecording(id, request, new Date().toISOString()) : readable;
  }

  /** Returns what the attempts of an agent, or of all agents if it is null, say about the tools. */
  async reportOnTools(agent: string | null, sight: Sight): Promise<Result<ToolReport>> {
    const readable = this.refuseUnlessSeesUnits(sight);
    if (!readable.ok) return readable;
    const { creation, standing } = this.getEvaluationParts().life;
    const reported = creation.agents.filter(({ name }) => agent === null || name === agent);
    if (reported.length === 0) return refuse('not-found', `there is no agent ${agent} in this evaluation`);
    const offline = creation.offline && reported.some(isAgentOfRules);
    const run = { offline, final: isOver(standing.status) };
    const { sql } = this.ctx.storage;
    const only = agent === null ? null : JSON.stringify([agent]);
    return ok(await makeToolReportFromTraces(sql, { tools: 'tools', traces: tracesOfCases, only, run }));
  }

  /** Returns what a model is to write a new wording from. */
  async collectWordingMaterial(asked: NewProposal, sight: Sight): Promise<Result<WordingMaterial>> {
    const readable = this.refuseUnlessSeesUnits(sight);
    if (!readable.ok) return readable;
    const { store, life } = this.getEvaluationParts();
    const { agents, config } = life.creation;
    const { sql } = this.ctx.storage;
    return collectWordingMaterial({ benchmark: config.benchmark, sql, store, agents }, asked);
  }

  /** Refuses where texts that would have to be judged again are deleted. */
  override getConfigAndAgentsToJudgeAgain(): Result<EvaluationToJudgeAgain> {
    return this.readUnlessTextsAreDeleted(null, () => super.getConfigAndAgentsToJudgeAgain());
  }

  protected scheduleTextDeletion(): Promise<void> {
    return this.#texts.scheduleTextDeletion();
  }

  /** Returns what is read from the texts of an agent's attempts, or of all; refuses if some are deleted. */
  protected readUnlessTextsAreDeleted<T>(agent: string | null, read: () => Result<T>): Result<T> {
    const without = this.getEvaluationParts().life.exists ? this.#texts.countAttemptsWithoutTexts(agent) : 0;
    return without === 0 ? read() : refuse('texts-deleted', `the texts of ${attemptCountText(without)} are deleted`);
  }

  /** Returns a report with what people and other judges say of its verdicts, and with what was deleted. */
  protected withJudgesAndDeletedTextsSections(report: string): string {
    const agreement = this.hasOtherVerdicts ? this.measureAgreement() : null;
    const judges = agreement?.ok === true ? judgeAgreementSection(agreement.value) : [];
    return [report, ...judges, ...this.#deletedTextsSection()].join('\n');
  }

  #deletedTextsSection(): string[] {
    const without = this.#texts.countAttemptsWithoutTexts(null);
    return without === 0
      ? []
      : [
          '## Deleted texts',
          '',
          `The texts of ${attemptCountText(without)} are deleted; the figures are as before.`,
          '',
        ];
  }

  get #texts(): EvaluationTexts {
    const { store, life } = this.getEvaluationParts();
    const recording = (id: string) => this.env.RECORDING.getByName(id);
    return new EvaluationTexts({ store, life, storage: this.ctx.storage, recording });
  }
}

const attemptCountText = (attempts: number): string => `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
