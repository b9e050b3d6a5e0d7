import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { Admission } from '#adapters/network/admission.ts';
import { shardInstanceId, type ShardParams } from '#core/evaluation/shards.ts';
import type { EvaluationRun } from '#durable-objects/evaluation/evaluation-run.ts';
import { makeRetryingObjectCaller, type Caller } from './caller.ts';
import type { DrivenEvaluation } from './called-objects.ts';
import { runOrFailOnDefect } from './steps/run-or-fail.ts';
import { brief } from './steps/retries.ts';

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
    const run: Caller<DrivenEvaluation> = makeRetryingObjectCaller(
      () => this.env.EVALUATION_RUN.getByName(id),
      new Admission(),
    );
    await runOrFailOnDefect(
      () => this.#openAndStartShards(run, id, driver, step),
      step,
      (reason) => run((object) => object.fail(driver, reason)),
    );
  }

  async #openAndStartShards(
    run: Caller<DrivenEvaluation>,
    id: string,
    driver: number,
    step: WorkflowStep,
  ): Promise<void> {
    const opened = await step.do('open', brief, async () => run((object) => object.openShards(driver)));
    if (opened.kind === 'stop' || opened.shards.length === 0) return;
    const params = opened.shards.map((shard): ShardParams => ({ run: id, driver, shard, leg: 1 }));
    await step.do('start shards', brief, async () => {
      // createBatch skips existing instances.
      await this.env.EVALUATION_SHARD_WORKFLOW.createBatch(
        params.map((each) => ({ id: shardInstanceId(each), params: each })),
      );
    });
  }
}
