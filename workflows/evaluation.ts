import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { Admission } from '#adapters/network/admission.ts';
import { settingsSchema } from '#adapters/settings.ts';
import { shardInstanceId, type ShardParams } from '#core/evaluation/shards.ts';
import type { OpenedShards } from '#durable-objects/evaluation/evaluation-lanes.ts';
import type { EvaluationRun } from '#durable-objects/evaluation/evaluation-run.ts';
import { makeRetryingObjectCaller, type Caller } from './caller.ts';
import type { DrivenEvaluation, RejudgedEvaluation } from './called-objects.ts';
import { deleteEndedInstanceIfWanted } from './steps/delete-ended-instance.ts';
import { makeGovernorCaller, type Governors } from './steps/governors.ts';
import { importCasesToJudgeWithinLimits } from './steps/import-cases.ts';
import { runOrFailOnDefect } from './steps/run-or-fail.ts';
import { brief, long } from './steps/retries.ts';
import { sleepUntilEndpointTakesRequests } from './steps/sleep-through-rest.ts';
import { SpentRequests } from './steps/spent-requests.ts';
import { embedNextTools } from './steps/tool-search.ts';

interface Env {
  readonly EVALUATION_RUN: DurableObjectNamespace<EvaluationRun>;
  readonly EVALUATION_SHARD_WORKFLOW: Workflow<ShardParams>;
  readonly ENDPOINT_GOVERNOR: Governors;
  readonly EVALUATION_WORKFLOW: Pick<Workflow, 'deleteBatch'>;
}

/** Steps of an instance besides imports: embedding, opening, opening again, starting shards, failing, handing over. */
const otherSteps = 6;

/** The evaluation, and the admission for all requests of the instance. */
interface Reached {
  readonly run: Caller<DrivenEvaluation>;
  readonly admission: Admission;
}

/**
 * Drives an evaluation: splits the work into shards and starts an instance for each; the shards find their cases
 * themselves. Holds no data, and hands over to the next driver before the platform's limits if it has many cases to import.
 */
export class EvaluationWorkflow extends WorkflowEntrypoint<Env, { run: string; driver: number }> {
  override async run(
    event: Readonly<WorkflowEvent<{ run: string; driver: number }>>,
    step: WorkflowStep,
  ): Promise<void> {
    const { run: id, driver } = event.payload;
    const admission = new Admission();
    const run: Caller<DrivenEvaluation> = makeRetryingObjectCaller(
      () => this.env.EVALUATION_RUN.getByName(id),
      admission,
    );
    await runOrFailOnDefect(
      async () => {
        await this.#embedTools(run, admission, driver, step);
        await this.#importCasesIfNeededAndStartShards({ run, admission }, id, driver, step);
      },
      step,
      (reason) => run((object) => object.fail(driver, reason)),
    );
    await deleteEndedInstanceIfWanted(this.env, this.env.EVALUATION_WORKFLOW, event.instanceId);
  }

  /**
   * Computes the vectors that agents search, a step for each request. An embedder that breaks is left out: attempts that
   * search with it end with that fault, and others continue.
   */
  async #embedTools(
    run: Caller<DrivenEvaluation>,
    admission: Admission,
    driver: number,
    step: WorkflowStep,
  ): Promise<void> {
    const governors = makeGovernorCaller(this.env.ENDPOINT_GOVERNOR, admission);
    const services = { settings: settingsSchema.parse(this.env), admission, governors, run };
    const broken: string[] = [];
    for (let request = 1; ; request += 1) {
      const name = `embed tools ${request}`;
      const asked = await step.do(name, long, () => embedNextTools(services, driver, broken));
      if (asked === null) return;
      if (asked.restsUntilMs !== undefined)
        await sleepUntilEndpointTakesRequests(step, name, { untilMs: asked.restsUntilMs });
      else if (!asked.answered) broken.push(asked.embedder);
    }
  }

  async #importCasesIfNeededAndStartShards(
    { run, admission }: Reached,
    id: string,
    driver: number,
    step: WorkflowStep,
  ): Promise<void> {
    let opened = await step.do('open', brief, async () => run((object) => object.lanes.planShards(driver)));
    if (opened.kind === 'import') {
      if (!(await this.#importCasesToJudgeAgain({ run, admission }, opened, step))) {
        await step.do('hand over', brief, async () => run((object) => object.rejudging.startNextImport(driver)));
        return;
      }
      opened = await step.do('open after the import', brief, async () =>
        run((object) => object.lanes.planShards(driver)),
      );
    }
    if (opened.kind !== 'shards' || opened.shards.length === 0) return;
    const params = opened.shards.map((shard): ShardParams => ({ run: id, driver, shard, leg: 1 }));
    await step.do('start shards', brief, async () => {
      // createBatch skips existing instances.
      await this.env.EVALUATION_SHARD_WORKFLOW.createBatch(
        params.map((each) => ({ id: shardInstanceId(each), params: each })),
      );
    });
  }

  /**
   * Passes attempts of the evaluation that is judged again to the one that judges them. Returns whether all are there; if not,
   * another instance continues.
   */
  #importCasesToJudgeAgain(
    { run, admission }: Reached,
    { from, after }: Extract<OpenedShards, { kind: 'import' }>,
    step: WorkflowStep,
  ): Promise<boolean> {
    const { STEPS_PER_INSTANCE: steps, REQUESTS_PER_INSTANCE: most } = settingsSchema.parse(this.env);
    const source: Caller<RejudgedEvaluation> = makeRetryingObjectCaller(
      () => this.env.EVALUATION_RUN.getByName(from),
      admission,
    );
    return importCasesToJudgeWithinLimits(
      {
        run,
        source,
        spent: new SpentRequests(admission, most),
        steps: Math.max(1, steps - otherSteps),
        runStep: (name, importPage) => step.do(name, long, importPage),
      },
      after,
    );
  }
}
