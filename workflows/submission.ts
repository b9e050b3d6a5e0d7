import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import type { Benchmark } from '#durable-objects/benchmark.ts';
import type { EvaluationRun } from '#durable-objects/evaluation-run.ts';
import type { Leaderboard } from '#durable-objects/leaderboard.ts';
import { evaluationOf, type Submission } from '#durable-objects/submission.ts';
import { placeOfLine, type LinePlace } from '#durable-objects/submission-store.ts';
import type { Workspace } from '#durable-objects/workspace.ts';
import { settingsSchema } from '#adapters/settings.ts';
import { orFail } from './steps/or-fail.ts';
import { brief, long } from './steps/retries.ts';
import { beginScoring, type ScoringPlaces } from './steps/begin-scoring.ts';
import type { DrivenSubmission, FedEvaluation } from './driven-submission.ts';

interface Env {
  readonly SUBMISSION: DurableObjectNamespace<Submission>;
  readonly LEADERBOARD: DurableObjectNamespace<Leaderboard>;
  readonly BENCHMARK: DurableObjectNamespace<Benchmark>;
  readonly WORKSPACE: DurableObjectNamespace<Workspace>;
  readonly EVALUATION_RUN: DurableObjectNamespace<EvaluationRun>;
}

/**
 * Brings a submission from where it stands to the next point at which it waits: holds it against the rules, begins the evaluation that scores
 * it, and, once that is over, publishes what it came to. The evaluation starts the next instance when it ends.
 */
export class SubmissionWorkflow extends WorkflowEntrypoint<Env, { run: string; driver: number }> {
  override async run(
    event: Readonly<WorkflowEvent<{ run: string; driver: number }>>,
    step: WorkflowStep,
  ): Promise<void> {
    const { run: id, driver } = event.payload;
    const submission: DrivenSubmission = this.env.SUBMISSION.getByName(id);
    await orFail(
      () => this.#drive(submission, id, driver, step),
      step,
      (reason) => submission.fail(driver, reason),
    );
  }

  async #drive(submission: DrivenSubmission, id: string, driver: number, step: WorkflowStep): Promise<void> {
    const work = await step.do('open', brief, async () => submission.open(driver));
    if (work.kind === 'stop') return;
    if (work.kind === 'publish') return step.do('publish', long, async () => submission.publish());
    if (!(await step.do('check the rules', long, async () => submission.keepsRules()))) return;
    if (!(await step.do('begin', brief, async () => beginScoring(submission, this.#places(id))))) return;
    if (work.tier === 'self-reported') await this.#bring(submission, id, step);
  }

  /** Hands the uploaded attempts to the evaluation, and has them judged. */
  async #bring(submission: DrivenSubmission, id: string, step: WorkflowStep): Promise<void> {
    const evaluation: FedEvaluation = this.env.EVALUATION_RUN.getByName(evaluationOf(id));
    let after: LinePlace | null = null;
    for (let turn = 1; ; turn += 1) {
      const from = after;
      const last = await step.do(`bring ${turn}`, long, async () => {
        const lines = await submission.linesAfter(from);
        await evaluation.bring(lines.map(({ line }) => line));
        const end = lines.at(-1);
        return end === undefined ? null : placeOfLine(end);
      });
      if (last === null) break;
      after = last;
    }
    await step.do('have it judged', brief, async () => {
      await evaluation.judgeBrought();
      await submission.brought();
    });
  }

  #places(id: string): ScoringPlaces {
    return {
      leaderboard: (leaderboard) => this.env.LEADERBOARD.getByName(leaderboard),
      benchmark: (object) => this.env.BENCHMARK.getByName(object),
      workspace: (workspace) => this.env.WORKSPACE.getByName(workspace),
      evaluation: this.env.EVALUATION_RUN.getByName(evaluationOf(id)),
      evaluationId: evaluationOf(id),
      offline: settingsSchema.parse(this.env).OFFLINE_MODELS,
    };
  }
}
