import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { settingsSchema } from '#adapters/settings.ts';
import { shardInstance, type ShardParams } from '#core/evaluation/shards.ts';
import type { EvaluationRun } from '#durable-objects/evaluation-run.ts';
import type { Recording } from '#durable-objects/recording.ts';
import type { DrivenEvaluation } from './driven-evaluation.ts';
import { evaluateNext } from './steps/evaluate-case.ts';
import { evaluationServices } from './steps/evaluation-services.ts';
import { orFail } from './steps/or-fail.ts';
import { brief, long } from './steps/retries.ts';

interface Env {
  readonly EVALUATION_RUN: DurableObjectNamespace<EvaluationRun>;
  readonly RECORDING: DurableObjectNamespace<Recording>;
}

/** Steps of an instance that are not cases: failing, handing over. */
const otherSteps = 2;

/**
 * Works on a shard of an evaluation: a few lanes side by side, each of which takes one case after the other until there is none. It
 * holds no data, and hands over to a new instance before the platform's limit of steps.
 */
export class EvaluationShardWorkflow extends WorkflowEntrypoint<Env, ShardParams> {
  override async run(event: Readonly<WorkflowEvent<ShardParams>>, step: WorkflowStep): Promise<void> {
    const { payload } = event;
    const { run: id, driver } = payload;
    const run: DrivenEvaluation = this.env.EVALUATION_RUN.getByName(id);
    await orFail(
      () => this.#work(run, payload, step),
      step,
      (reason) => run.fail(driver, reason),
    );
  }

  async #work(run: DrivenEvaluation, params: ShardParams, step: WorkflowStep): Promise<void> {
    const { run: id, driver, shard, leg } = params;
    const { STEPS_PER_INSTANCE: limit } = settingsSchema.parse(this.env);
    const turns = Math.max(1, Math.floor((limit - otherSteps) / shard.lanes));
    const services = evaluationServices(this.env, run);
    const work = async (lane: number): Promise<boolean> => {
      for (let turn = 1; turn <= turns; turn += 1) {
        const place = { driver, lane: `${shardInstance(params)}/${lane}`, turn, only: shard.only };
        const ended = await step.do(`lane ${lane} turn ${turn}`, long, async () => evaluateNext(services, run, place));
        if (ended !== null) return false;
      }
      return true;
    };
    const lanes = await Promise.all(Array.from({ length: shard.lanes }, (_, place) => work(place + 1)));
    if (lanes.includes(true)) {
      await step.do('hand over', brief, async () => run.relay({ run: id, driver, shard, leg: leg + 1 }));
    }
  }
}
