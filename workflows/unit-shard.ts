import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { Admission } from '#adapters/network/admission.ts';
import { settingsSchema } from '#adapters/settings.ts';
import { unitShardInstanceId, type UnitShardParams } from '#core/units/shards.ts';
import type { ExplorationRun } from '#durable-objects/exploration/exploration-run.ts';
import { makeRetryingObjectCaller, type Caller } from './caller.ts';
import type { DrivenRun, DrivenUnits, EvolvedRun } from './called-objects.ts';
import { deleteEndedInstanceIfWanted } from './steps/delete-ended-instance.ts';
import { writePairsTogether } from './steps/write-pairs-together.ts';
import { runOrFailOnDefect, runOrSetAsideOnDefect } from './steps/run-or-fail.ts';
import { brief, long } from './steps/retries.ts';
import { makeStepServices, type StepEnv } from './steps/services.ts';
import { stepNameOfTry, restsPerInstance, sleepUntilEndpointTakesRequests } from './steps/sleep-through-rest.ts';
import { SpentRequests } from './steps/spent-requests.ts';
import { driveUnitWithinRequests } from './steps/drive-unit.ts';

interface Env extends StepEnv {
  readonly EXPLORATION_RUN: DurableObjectNamespace<ExplorationRun>;
  readonly UNIT_SHARD_WORKFLOW: Workflow<UnitShardParams>;
}

/**
 * Drives a few units in parallel, one step for each, and notifies their run at the end. It holds no data. A unit that
 * cannot be driven is set aside. An instance that has made many requests leaves the rest to a new one.
 */
export class UnitShardWorkflow extends WorkflowEntrypoint<Env, UnitShardParams> {
  override async run(event: Readonly<WorkflowEvent<UnitShardParams>>, step: WorkflowStep): Promise<void> {
    const { payload } = event;
    const admission = new Admission();
    const run: Caller<DrivenRun & EvolvedRun> = makeRetryingObjectCaller(
      () => this.env.EXPLORATION_RUN.getByName(payload.run),
      admission,
    );
    const shard =
      payload.evolution === null
        ? makeDrivenRoundShard(run, payload)
        : makeDrivenBatchShard(run, payload, payload.evolution);
    await runOrFailOnDefect(
      () => this.#driveUnitsOrHandOver({ run, admission, shard }, payload, step),
      step,
      shard.fail,
    );
    await deleteEndedInstanceIfWanted(this.env, this.env.UNIT_SHARD_WORKFLOW, event.instanceId);
  }

  async #driveUnitsOrHandOver(
    { run, admission, shard }: Reached,
    params: UnitShardParams,
    step: WorkflowStep,
  ): Promise<void> {
    const { driver, shard: about } = params;
    const services = makeStepServices(this.env, params.run, { run, admission });
    const spent = new SpentRequests(admission, settingsSchema.parse(this.env).REQUESTS_PER_INSTANCE);
    const { together } = about;
    if (together.length > 0) {
      await writeTogetherOrSetAside();
    }
    const rest = await Promise.all(about.units.map(driveOrSetAside));
    const units = about.units.filter((_, index) => rest[index] === true);
    if (units.length === 0) return step.do('settle', brief, async () => shard.settle());
    const next = { ...params, shard: { ...about, units, together: [] }, leg: params.leg + 1 };
    await step.do('hand over', brief, async () => {
      // createBatch skips existing instances.
      await this.env.UNIT_SHARD_WORKFLOW.createBatch([{ id: unitShardInstanceId(next), params: next }]);
    });

    async function writeTogetherOrSetAside(): Promise<void> {
      for (let rests = 0; rests < restsPerInstance; rests += 1) {
        const name = stepNameOfTry('write', rests);
        const end = await runOrSetAsideOnDefect(
          () => step.do(name, long, async () => writePairsTogether(services, run, driver, together)),
          async (reason) => {
            await setAside(together, reason);
            return { why: 'nothing-left' } as const;
          },
        );
        if (end.why !== 'endpoint-rests') return;
        await sleepUntilEndpointTakesRequests(step, name, end);
      }
    }

    /** Drives a unit. Returns whether there is work left for another instance. */
    async function driveOrSetAside(unit: string): Promise<boolean> {
      for (let rests = 0; rests < restsPerInstance; rests += 1) {
        const name = stepNameOfTry(`unit ${unit}`, rests);
        const end = await runOrSetAsideOnDefect(
          () =>
            step.do(name, long, async () => driveUnitWithinRequests(services, { units: shard, spent }, driver, unit)),
          async (reason) => {
            await setAside([unit], reason);
            return { why: 'nothing-left', requests: 0 } as const;
          },
        );
        spent.restoreStepTotal(end.requests);
        if (end.why !== 'endpoint-rests') return end.why === 'requests-spent';
        await sleepUntilEndpointTakesRequests(step, name, end);
      }
      return true;
    }

    async function setAside(units: readonly string[], reason: string): Promise<void> {
      await step.do(`set aside ${units.join(', ')}`, brief, async () => {
        for (const unit of units) await shard.setUnitAside(driver, unit, reason);
      });
    }
  }
}

/** The units of a shard. */
interface DrivenShard extends DrivenUnits {
  /** Notifies the run that the shard has ended. */
  settle(): Promise<void>;
  fail(reason: string): Promise<void>;
}

/** What the steps of an instance use. */
interface Reached {
  readonly run: Caller<DrivenRun & EvolvedRun>;
  readonly admission: Admission;
  readonly shard: DrivenShard;
}

const makeDrivenRoundShard = (run: Caller<DrivenRun>, { driver, round }: UnitShardParams): DrivenShard => ({
  takeUnitWork: (by, unit) => run((object) => object.rounds.takeUnitWork(by, unit)),
  commitStage: (by, unit, revision, result) => run((object) => object.rounds.commitStage(by, unit, revision, result)),
  setUnitAside: (by, unit, reason) => run((object) => object.rounds.setUnitAside(by, unit, reason)),
  settle: () => run((object) => object.rounds.startInstanceIfRoundIsDone(driver, round)),
  fail: (reason) => run((object) => object.fail(driver, reason)),
});

const makeDrivenBatchShard = (
  run: Caller<EvolvedRun>,
  { driver, round: batch }: UnitShardParams,
  { number, phase }: NonNullable<UnitShardParams['evolution']>,
): DrivenShard => ({
  takeUnitWork: (by, unit) => run((object) => object.evolutions.takeVariantWork(number, by, unit)),
  commitStage: (by, unit, revision, result) =>
    run((object) => object.evolutions.commitVariantStage(number, by, unit, revision, result)),
  setUnitAside: (by, unit, reason) => run((object) => object.evolutions.setVariantAside(number, by, unit, reason)),
  settle: () => run((object) => object.evolutions.startInstanceIfPhaseIsDone(number, driver, batch, phase)),
  fail: (reason) => run((object) => object.evolutions.fail(number, driver, reason)),
});
