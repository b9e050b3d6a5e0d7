import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { Admission } from '#adapters/network/admission.ts';
import { settingsSchema } from '#adapters/settings.ts';
import { shardInstanceId, type ShardParams } from '#core/evaluation/shards.ts';
import type { EvaluationRun } from '#durable-objects/evaluation/evaluation-run.ts';
import { makeRetryingObjectCaller, type Caller } from './caller.ts';
import type { DrivenEvaluation, RejudgedEvaluation } from './called-objects.ts';
import { runOrFailOnDefect } from './steps/run-or-fail.ts';
import { brief, long } from './steps/retries.ts';
import { embedSomeTools } from './steps/tool-search.ts';

interface Env {
  readonly EVALUATION_RUN: DurableObjectNamespace<EvaluationRun>;
  readonly EVALUATION_SHARD_WORKFLOW: Workflow<ShardParams>;
}

/**
 * Drives an evaluation: splits the work into shards and starts an instance for each; the shards find their cases
 * themselves.
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
        await this.#openAndStartShards(run, id, driver, step);
      },
      step,
      (reason) => run((object) => object.fail(driver, reason)),
    );
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
    const services = { settings: settingsSchema.parse(this.env), admission, run };
    const broken: string[] = [];
    for (let request = 1; ; request += 1) {
      const asked = await step.do(`embed tools ${request}`, long, () => embedSomeTools(services, driver, broken));
      if (asked === null) return;
      if (!asked.answered) broken.push(asked.embedder);
    }
  }

  async #openAndStartShards(
    run: Caller<DrivenEvaluation>,
    id: string,
    driver: number,
    step: WorkflowStep,
  ): Promise<void> {
    let opened = await step.do('open', brief, async () => run((object) => object.openShards(driver)));
    if (opened.kind === 'import') {
      await this.#importCases(run, opened.from, step);
      opened = await step.do('open after the import', brief, async () => run((object) => object.openShards(driver)));
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

  /** Passes the attempts of the evaluation that is judged again to the one that judges them, page by page. */
  async #importCases(run: Caller<DrivenEvaluation>, from: string, step: WorkflowStep): Promise<void> {
    const source: Caller<RejudgedEvaluation> = makeRetryingObjectCaller(
      () => this.env.EVALUATION_RUN.getByName(from),
      new Admission(),
    );
    let after: string | null = '';
    for (let page = 1; after !== null; page += 1) {
      const start: string = after;
      after = await step.do(`import ${page}`, long, async (): Promise<string | null> => {
        const cases = await source((object) => object.listCasesToJudgeAgain(start));
        await run((object) => object.commitCasesToJudgeAgain(cases));
        return cases.at(-1)?.id ?? null;
      });
    }
  }
}
