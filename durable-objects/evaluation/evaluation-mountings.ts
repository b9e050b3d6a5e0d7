import type { ServerConnection } from '#core/catalog/server.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { mountingOf, type EvaluationConfig, type StoredAgent } from '#core/evaluation/config.ts';
import type { MountedInAttempt } from '#core/evaluation/breakdown-record.ts';
import { describeIsolation, type ServerIsolation } from '#core/isolation/server-isolation.ts';
import { groupMountableToolsByServer, type MountableCatalog } from '#core/mounting/mountable-catalog.ts';
import {
  countMountedOfUnit,
  summariseMountedOverUnits,
  type MountedCounts,
  type MountedSummary,
} from '#core/mounting/mounted-counts.ts';
import { listShuffledMountedTools, type MountingPlace } from '#core/mounting/mounted-tools.ts';
import { mountingName, type Mounting } from '#core/mounting/mounting.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** What mountings need from their evaluation. */
interface MountingRun {
  readonly config: EvaluationConfig;
  readonly agents: readonly StoredAgent[];
  readonly servers: readonly ServerConnection[];
}

type Unit = MountingPlace['unit'];
type Store = Pick<EvaluationStore, 'mountableTools' | 'getUnitAndPlanOrThrow' | 'getCaseOrThrow' | 'listToolsByName'>;

/** Which tools the attempts of an evaluation see. Computed when asked for: tools, units and agents never change. */
export class EvaluationMountings {
  readonly #store: Store;
  readonly #run: () => MountingRun;
  #catalog: MountableCatalog | null = null;
  /** By mounting and unit. */
  readonly #counts = new Map<string, Map<string, MountedCounts>>();

  constructor(store: Store, run: () => MountingRun) {
    this.#store = store;
    this.#run = run;
  }

  /** Returns the names of the tools that an agent sees in a unit, in their order. */
  listToolNamesOfUnit(agent: string, unit: Unit): string[] {
    return listShuffledMountedTools(this.#makeMountingPlace(this.#getMountingOfAgent(agent), unit)).map(
      ({ name }) => name,
    );
  }

  /** Returns the tools that the agent of a case sees, in their order. */
  listToolsOfCase(id: string): Tool[] {
    const { agent, unit } = this.#store.getCaseOrThrow(id);
    return this.#store.listToolsByName(this.listToolNamesOfUnit(agent, this.#store.getUnitAndPlanOrThrow(unit).unit));
  }

  /** Returns how attempts are kept apart on the servers. */
  describeIsolation(): ServerIsolation[] {
    const tools = this.#getCatalog().flatMap((server) => server.tools);
    return describeIsolation(this.#run().servers, tools);
  }

  /** Returns how much an agent sees over units. */
  summariseMountedTools(agent: string, units: readonly Unit[]): MountedSummary {
    const mounting = this.#getMountingOfAgent(agent);
    return summariseMountedOverUnits(
      mounting,
      units.map((unit) => this.#getMountedCounts(mounting, unit.id, () => unit)),
    );
  }

  /** Returns how much an agent sees in the unit with this id. */
  countMountedInUnit(agent: string, id: string): MountedInAttempt {
    const mounting = this.#getMountingOfAgent(agent);
    const { tools, schemaTokens } = this.#getMountedCounts(
      mounting,
      id,
      () => this.#store.getUnitAndPlanOrThrow(id).unit,
    );
    return { mounting: mountingName(mounting), tools, schemaTokens };
  }

  #getMountedCounts(mounting: Mounting, id: string, readUnit: () => Unit): MountedCounts {
    const name = mountingName(mounting);
    const counts = this.#counts.get(name) ?? new Map<string, MountedCounts>();
    this.#counts.set(name, counts);
    const known = counts.get(id) ?? countMountedOfUnit(this.#makeMountingPlace(mounting, readUnit()));
    counts.set(id, known);
    return known;
  }

  #getMountingOfAgent(name: string): Mounting {
    const { config, agents } = this.#run();
    const agent = agents.find((each) => each.name === name);
    if (agent === undefined) throw new Error(`the evaluation has no agent ${name}`);
    return mountingOf(agent, config.mounting);
  }

  #makeMountingPlace(mounting: Mounting, unit: Unit): MountingPlace {
    return { mounting, unit, catalog: this.#getCatalog(), seed: this.#run().config.seed };
  }

  #getCatalog(): MountableCatalog {
    this.#catalog ??= groupMountableToolsByServer(this.#store.mountableTools());
    return this.#catalog;
  }
}
