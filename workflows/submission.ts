import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import type { Benchmark } from '#durable-objects/benchmark/benchmark.ts';
import type { EvaluationRun } from '#durable-objects/evaluation/evaluation-run.ts';
import type { Leaderboard } from '#durable-objects/leaderboard/leaderboard.ts';
import { evaluationIdOfSubmission } from '#core/leaderboards/submissions/evaluation-id.ts';
import type { Submission } from '#durable-objects/submission/submission.ts';
import { placeOfLine, type LinePlace, type NumberedLine } from '#durable-objects/submission/submission-store.ts';
import type { Workspace } from '#durable-objects/workspace/workspace.ts';
import { Admission } from '#adapters/network/admission.ts';
import { settingsSchema } from '#adapters/settings.ts';
import { tierRules } from '#core/leaderboards/submissions/tiers.ts';
import { makeRetryingObjectCaller, type Caller } from './caller.ts';
import { deleteEndedInstanceIfWanted } from './steps/delete-ended-instance.ts';
import { runOrFailOnDefect, runOrSetAsideOnDefect } from './steps/run-or-fail.ts';
import { brief, long } from './steps/retries.ts';
import { createScoringEvaluationOrRejectSubmission, type ScoringPlaces } from './steps/create-scoring-evaluation.ts';
import type { DrivenSubmission, ImportingEvaluation } from './called-objects.ts';

interface Env {
  readonly SUBMISSION: DurableObjectNamespace<Submission>;
  readonly LEADERBOARD: DurableObjectNamespace<Leaderboard>;
  readonly BENCHMARK: DurableObjectNamespace<Benchmark>;
  readonly WORKSPACE: DurableObjectNamespace<Workspace>;
  readonly EVALUATION_RUN: DurableObjectNamespace<EvaluationRun>;
  readonly SUBMISSION_WORKFLOW: Pick<Workflow, 'deleteBatch'>;
}

/** The submission, and the admission for all requests of the instance. */
interface Reached {
  readonly submission: Caller<DrivenSubmission>;
  readonly admission: Admission;
}

/**
 * Drives a submission to the next point at which it waits: checks the rules, creates the evaluation that scores it, and
 * publishes the result. The evaluation starts the next instance when it ends.
 */
export class SubmissionWorkflow extends WorkflowEntrypoint<Env, { run: string; driver: number }> {
  override async run(
    event: Readonly<WorkflowEvent<{ run: string; driver: number }>>,
    step: WorkflowStep,
  ): Promise<void> {
    const { run: id, driver } = event.payload;
    const admission = new Admission();
    const submission: Caller<DrivenSubmission> = makeRetryingObjectCaller(
      () => this.env.SUBMISSION.getByName(id),
      admission,
    );
    await runOrFailOnDefect(
      () => this.#driveToNextWait({ submission, admission }, id, driver, step),
      step,
      (reason) => submission((object) => object.fail(driver, reason)),
    );
    await deleteEndedInstanceIfWanted(this.env, this.env.SUBMISSION_WORKFLOW, event.instanceId);
  }

  async #driveToNextWait(
    { submission, admission }: Reached,
    id: string,
    driver: number,
    step: WorkflowStep,
  ): Promise<void> {
    const work = await step.do('open', brief, async () => submission((object) => object.takeTurnAndFindWork(driver)));
    if (work.kind === 'stop') return;
    if (work.kind === 'publish')
      return step.do('publish', long, async () => submission((object) => object.publishOrReject()));
    if (!(await step.do('check the rules', long, async () => submission((object) => object.validateUpload(driver)))))
      return;
    if (
      !(await step.do('begin', brief, async () =>
        createScoringEvaluationOrRejectSubmission(submission, this.#bindScoringObjects(id)),
      ))
    )
      return;
    if (tierRules[work.tier].attempts === 'uploaded')
      await this.#importAndJudgeUploaded({ submission, admission }, id, step);
  }

  /** Passes the uploaded attempts to the evaluation, which has them judged. */
  async #importAndJudgeUploaded({ submission, admission }: Reached, id: string, step: WorkflowStep): Promise<void> {
    const evaluation: Caller<ImportingEvaluation> = makeRetryingObjectCaller(
      () => this.env.EVALUATION_RUN.getByName(evaluationIdOfSubmission(id)),
      admission,
    );
    const importAfter = async (after: LinePlace | null, settingAside: boolean): Promise<LinePlace | null> => {
      const lines: readonly NumberedLine[] = await submission((object) => object.linesAfter(after));
      await evaluation((object) =>
        object.scoring.importLines(
          lines.map(({ line }) => line),
          settingAside,
        ),
      );
      const end = lines.at(-1);
      return end === undefined ? null : placeOfLine(end);
    };
    let after: LinePlace | null = null;
    for (let turn = 1; ; turn += 1) {
      const from: LinePlace | null = after;
      const last: LinePlace | null = await runOrSetAsideOnDefect(
        () => step.do(`import ${turn}`, long, async (): Promise<LinePlace | null> => importAfter(from, false)),
        () =>
          step.do(`import ${turn}, setting aside`, brief, async (): Promise<LinePlace | null> =>
            importAfter(from, true),
          ),
      );
      if (last === null) break;
      after = last;
    }
    await step.do('have it judged', brief, async () => {
      await evaluation((object) => object.scoring.judgeImported());
      await submission((object) => object.deleteImportedLinesAndContinue());
    });
  }

  #bindScoringObjects(id: string): ScoringPlaces {
    return {
      leaderboard: (leaderboard) => this.env.LEADERBOARD.getByName(leaderboard),
      benchmark: (object) => this.env.BENCHMARK.getByName(object),
      workspace: (workspace) => this.env.WORKSPACE.getByName(workspace),
      evaluation: this.env.EVALUATION_RUN.getByName(evaluationIdOfSubmission(id)),
      evaluationId: evaluationIdOfSubmission(id),
      offline: settingsSchema.parse(this.env).OFFLINE_MODELS,
    };
  }
}
