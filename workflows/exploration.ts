import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { Admission } from '#adapters/network/admission.ts';
import { unitShardInstanceId, type UnitShardParams } from '#core/units/shards.ts';
import type { ExplorationRun } from '#durable-objects/exploration/exploration-run.ts';
import { makeRetryingObjectCaller, type Caller } from './caller.ts';
import type { DrivenRun } from './called-objects.ts';
import { deleteEndedInstanceIfWanted } from './steps/delete-ended-instance.ts';
import { runOrFailOnDefect } from './steps/run-or-fail.ts';
import { brief } from './steps/retries.ts';

interface Env {
  readonly EXPLORATION_RUN: DurableObjectNamespace<ExplorationRun>;
  readonly UNIT_SHARD_WORKFLOW: Workflow<UnitShardParams>;
  readonly EXPLORATION_WORKFLOW: Pick<Workflow, 'deleteBatch'>;
}

/**
 * Drives one round of an exploration: commits the previous round, opens the next, starts the shards that drive its
 * units, and ends. After the last shard, the run starts the next instance. All data is in the run's Durable Object,
 * where a new driver finds its place.
 */
export class ExplorationWorkflow extends WorkflowEntrypoint<Env, { run: string; driver: number }> {
  override async run(
    event: Readonly<WorkflowEvent<{ run: string; driver: number }>>,
    step: WorkflowStep,
  ): Promise<void> {
    const { run: id, driver } = event.payload;
    const run: Caller<DrivenRun> = makeRetryingObjectCaller(
      () => this.env.EXPLORATION_RUN.getByName(id),
      new Admission(),
    );
    await runOrFailOnDefect(
      () => this.#driveUntilShardsOrStop(run, id, driver, step),
      step,
      (reason) => run((object) => object.fail(driver, reason)),
    );
    await deleteEndedInstanceIfWanted(this.env, this.env.EXPLORATION_WORKFLOW, event.instanceId);
  }

  async #driveUntilShardsOrStop(run: Caller<DrivenRun>, id: string, driver: number, step: WorkflowStep): Promise<void> {
    for (let turn = 1; ; turn += 1) {
      const opened = await step.do(`turn ${turn}: open round`, brief, async () =>
        run((object) => object.rounds.openRound(driver)),
      );
      if (opened.kind === 'stop') return;
      const { round, shards } = opened;
      if (!opened.isComplete) {
        await step.do('start shards', brief, async () => this.#startShards({ run: id, driver, round }, shards));
        return;
      }
      const next = await step.do(`turn ${turn}: commit round`, brief, async () =>
        run((object) => object.rounds.commitRound(driver, round)),
      );
      if (next.kind === 'stop') return;
    }
  }

  /** Starts an instance for each shard, one after the other. There are none if all units of the round wait for people. */
  async #startShards(
    about: Pick<UnitShardParams, 'run' | 'driver' | 'round'>,
    shards: readonly UnitShardParams['shard'][],
  ): Promise<void> {
    for (const shard of shards) {
      const params: UnitShardParams = { ...about, evolution: null, shard, leg: 1 };
      // createBatch skips existing instances.
      await this.env.UNIT_SHARD_WORKFLOW.createBatch([{ id: unitShardInstanceId(params), params }]);
    }
  }
}
