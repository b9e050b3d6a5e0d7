import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { Admission } from '#adapters/network/admission.ts';
import { settingsSchema } from '#adapters/settings.ts';
import { unitShardInstanceId, type UnitShardParams } from '#core/units/shards.ts';
import type { EvolutionTurn } from '#durable-objects/exploration/evolution-turn.ts';
import type { ExplorationRun } from '#durable-objects/exploration/exploration-run.ts';
import type { Stop } from '#durable-objects/shared/run-lifecycle.ts';
import { makeRetryingObjectCaller, type Caller } from './caller.ts';
import type { EvolvedRun } from './called-objects.ts';
import { deleteEndedInstanceIfWanted } from './steps/delete-ended-instance.ts';
import { compareExploredUnitsAndCommit, compareUnitsAndCommit } from './steps/compare-units.ts';
import { runOrFailOnDefect } from './steps/run-or-fail.ts';
import { brief } from './steps/retries.ts';
import { makeStepServices, type StepEnv, type StepServices } from './steps/services.ts';
import { SpentRequests } from './steps/spent-requests.ts';

interface Env extends StepEnv {
  readonly EXPLORATION_RUN: DurableObjectNamespace<ExplorationRun>;
  readonly UNIT_SHARD_WORKFLOW: Workflow<UnitShardParams>;
  readonly EVOLUTION_WORKFLOW: Pick<Workflow, 'deleteBatch'>;
}

interface Params {
  readonly run: string;
  readonly evolution: number;
  readonly driver: number;
}

/**
 * Drives an evolution. It compares the accepted units with each other, part by part, and then takes each batch of
 * variants through its phases: shards write the variants, this workflow compares them, shards execute them, this
 * workflow commits them. It ends when it must wait for shards; after the last shard, the run starts the next instance.
 * All data is in the run's object.
 */
export class EvolutionWorkflow extends WorkflowEntrypoint<Env, Params> {
  override async run(event: Readonly<WorkflowEvent<Params>>, step: WorkflowStep): Promise<void> {
    const { evolution, driver } = event.payload;
    const admission = new Admission();
    const run: Caller<EvolvedRun> = makeRetryingObjectCaller(
      () => this.env.EXPLORATION_RUN.getByName(event.payload.run),
      admission,
    );
    await runOrFailOnDefect(
      () => this.#driveUntilShardsOrStop({ run, admission }, event.payload, step),
      step,
      (reason) => run((object) => object.evolutions.fail(evolution, driver, reason)),
    );
    await deleteEndedInstanceIfWanted(this.env, this.env.EVOLUTION_WORKFLOW, event.instanceId);
  }

  async #driveUntilShardsOrStop({ run, admission }: Reached, params: Params, step: WorkflowStep): Promise<void> {
    const { run: id, evolution, driver } = params;
    const services = makeStepServices(this.env, id, { run, admission });
    const spent = new SpentRequests(admission, settingsSchema.parse(this.env).REQUESTS_PER_INSTANCE);
    for (let turn = 1; ; turn += 1) {
      const opened = await step.do(
        `turn ${turn}: open`,
        brief,
        async (): Promise<{ next: EvolutionTurn | Stop; requests: number }> => ({
          next: await run((object) => object.evolutions.openNextWorkOrEnd(evolution, driver)),
          requests: spent.total,
        }),
      );
      const { next, requests } = opened;
      spent.restoreStepTotal(requests);
      if (next.kind === 'stop') return;
      if (next.kind === 'shards') {
        await step.do('start shards', brief, async () => this.#startShards(params, next));
        return;
      }
      if (spent.isUsedUp) {
        await step.do('hand over', brief, async () =>
          run((object) => object.evolutions.startNextDriver(evolution, driver)),
        );
        return;
      }
      if ((await this.#performTurnWithoutShards({ run, services }, params, next, { step, turn })).kind === 'stop')
        return;
    }
  }

  /** Performs the next work that needs no shards. */
  async #performTurnWithoutShards(
    { run, services }: { readonly run: Caller<EvolvedRun>; readonly services: StepServices },
    { evolution, driver }: Params,
    next: Exclude<EvolutionTurn, { kind: 'shards' }>,
    { step, turn }: { readonly step: WorkflowStep; readonly turn: number },
  ): Promise<{ kind: 'next' } | Stop> {
    switch (next.kind) {
      case 'survey':
      case 'compare-explored':
        await compareExploredUnitsAndCommit(
          services,
          { step, name: `turn ${turn}: compare explored units` },
          {
            open: () => run((object) => object.evolutions.openExploredUnitsToCompare(evolution, driver)),
            commit: (part, compared) =>
              run((object) => object.evolutions.keepExploredOrMarkDuplicates(evolution, driver, part, compared)),
          },
        );
        return { kind: 'next' };
      case 'compare':
        await compareUnitsAndCommit(
          services,
          { step, name: `turn ${turn}: compare` },
          {
            open: () => run((object) => object.evolutions.openVariantsToCompare(evolution, driver, next.batch)),
            commit: (names, compared) =>
              run((object) => object.evolutions.keepVariantsOrMarkDuplicates(evolution, names, compared)),
          },
        );
        return { kind: 'next' };
      case 'complete':
        return step.do(`turn ${turn}: commit`, brief, async () =>
          run((object) => object.evolutions.commitBatch(evolution, driver, next.batch)),
        );
    }
  }

  async #startShards(
    { run, evolution, driver }: Params,
    { batch, phase, shards }: Extract<EvolutionTurn, { kind: 'shards' }>,
  ): Promise<void> {
    const about = { run, driver, round: batch, evolution: { number: evolution, phase }, leg: 1 };
    const params = shards.map((shard): UnitShardParams => ({ ...about, shard }));
    // createBatch skips existing instances.
    await this.env.UNIT_SHARD_WORKFLOW.createBatch(
      params.map((each) => ({ id: unitShardInstanceId(each), params: each })),
    );
  }
}

/** The run, and the admission for all requests of the instance. */
interface Reached {
  readonly run: Caller<EvolvedRun>;
  readonly admission: Admission;
}
