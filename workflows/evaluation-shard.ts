import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { Admission } from '#adapters/network/admission.ts';
import type { ProgramBindings } from '#adapters/programs/runner.ts';
import { settingsSchema } from '#adapters/settings.ts';
import { shardInstanceId, type ShardParams } from '#core/evaluation/shards.ts';
import type { LaneTurn } from '#durable-objects/evaluation/evaluation-lanes.ts';
import type { EvaluationRun } from '#durable-objects/evaluation/evaluation-run.ts';
import type { Recording } from '#durable-objects/recording/recording.ts';
import { makeRetryingObjectCaller, type Caller } from './caller.ts';
import type { DrivenEvaluation } from './called-objects.ts';
import { deleteEndedInstanceIfWanted } from './steps/delete-ended-instance.ts';
import type { Governors } from './steps/governors.ts';
import { evaluateNextCaseWithinRequests } from './steps/evaluate-case.ts';
import { makeEvaluationServices } from './steps/evaluation-services.ts';
import type { ServerBindings } from './steps/server-workspace.ts';
import { runOrFailOnDefect, runOrSetAsideOnDefect } from './steps/run-or-fail.ts';
import { brief, long } from './steps/retries.ts';
import { stepNameOfTry, restsPerInstance, sleepUntilEndpointTakesRequests } from './steps/sleep-through-rest.ts';
import { SpentRequests } from './steps/spent-requests.ts';

interface Env extends ServerBindings, ProgramBindings {
  readonly EVALUATION_RUN: DurableObjectNamespace<EvaluationRun>;
  readonly RECORDING: DurableObjectNamespace<Recording>;
  readonly ENDPOINT_GOVERNOR: Governors;
  readonly EVALUATION_SHARD_WORKFLOW: Pick<Workflow, 'deleteBatch'>;
}

/** Steps of an instance besides cases: failing, handing over. */
const otherSteps = 2;

/** The evaluation, and the admission for all requests of the instance. */
interface Reached {
  readonly run: Caller<DrivenEvaluation>;
  readonly admission: Admission;
}

/**
 * Works on a shard of an evaluation: a few parallel lanes, each of which takes cases until none are left. It holds no
 * data, and hands over to a new instance before the platform's step limit.
 */
export class EvaluationShardWorkflow extends WorkflowEntrypoint<Env, ShardParams> {
  override async run(event: Readonly<WorkflowEvent<ShardParams>>, step: WorkflowStep): Promise<void> {
    const { payload } = event;
    const { run: id, driver } = payload;
    const admission = new Admission();
    const run: Caller<DrivenEvaluation> = makeRetryingObjectCaller(
      () => this.env.EVALUATION_RUN.getByName(id),
      admission,
    );
    await runOrFailOnDefect(
      () => this.#runLanesAndHandOver({ run, admission }, payload, step),
      step,
      (reason) => run((object) => object.fail(driver, reason)),
    );
    await deleteEndedInstanceIfWanted(this.env, this.env.EVALUATION_SHARD_WORKFLOW, event.instanceId);
  }

  async #runLanesAndHandOver({ run, admission }: Reached, params: ShardParams, step: WorkflowStep): Promise<void> {
    const { run: id, driver, shard, leg } = params;
    const { STEPS_PER_INSTANCE: limit, REQUESTS_PER_INSTANCE: most } = settingsSchema.parse(this.env);
    const turns = Math.max(1, Math.floor((limit - otherSteps) / shard.lanes));
    const services = makeEvaluationServices(this.env, run, admission);
    const spent = new SpentRequests(admission, most);
    /** Takes cases until none are left. Returns whether there may be work for another instance. */
    const runLane = async (lane: number): Promise<boolean> => {
      let turn = 1;
      // A turn after a rest takes the same case again.
      for (let steps = 0, rests = 0; steps < turns && rests < restsPerInstance && !spent.isUsedUp; steps += 1) {
        const name = stepNameOfTry(`lane ${lane} turn ${turn}`, rests);
        const place = { driver, lane: `${shardInstanceId(params)}/${lane}`, turn, only: shard.only };
        const end = await runOrSetAsideOnDefect(
          () => step.do(name, long, async () => evaluateNextCaseWithinRequests(services, { run, spent }, place)),
          async (reason) => {
            await step.do(`${name}: set aside`, brief, async () => setAside(place, reason));
            return { why: null, requests: 0 };
          },
        );
        spent.restoreStepTotal(end.requests);
        if (end.why === 'endpoint-rests') {
          await sleepUntilEndpointTakesRequests(step, name, end);
          rests += 1;
          continue;
        }
        turn += 1;
        rests = 0;
        if (end.why !== null) return end.why === 'requests-spent';
      }
      return true;
    };
    const setAside = async (place: LaneTurn, reason: string): Promise<void> => {
      // A failure before there is a case is a failure of the run.
      if (!(await run((object) => object.lanes.setCaseAside(place, reason)))) throw new Error(reason);
    };
    const lanes = await Promise.all(Array.from({ length: shard.lanes }, (_, index) => runLane(index + 1)));
    if (lanes.includes(true)) {
      await step.do('hand over', brief, async () =>
        run((object) => object.lanes.startNextInstance({ run: id, driver, shard, leg: leg + 1 })),
      );
    }
  }
}
