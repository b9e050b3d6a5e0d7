import type { ServerConnection } from '#core/catalog/server.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { mountingOfAgent, overlayOfAgent, type EvaluationConfig, type StoredAgent } from '#core/evaluation/config.ts';
import type { MountedInAttempt } from '#core/evaluation/breakdown-record.ts';
import { listIsolationOfServers, type ServerIsolation } from '#core/catalog/isolation/server-isolation.ts';
import { groupMountableToolsByServer, type MountableCatalog } from '#core/units/mounting/mountable-catalog.ts';
import {
  countToolsAndTokensMountedInUnit,
  summariseMountedOverUnits,
  type MountedCounts,
  type MountedSummary,
} from '#core/units/mounting/mounted-counts.ts';
import { listMountedTools, listShuffledMountedTools, type MountingInput } from '#core/units/mounting/mounted-tools.ts';
import { mountingName, type Mounting } from '#core/units/mounting/mounting.ts';
import { countAddedTokens } from '#core/evaluation/overlay/count-added-tokens.ts';
import { makeShownOverlay, type ShownOverlay, type StoredOverlay } from '#core/evaluation/overlay/overlay.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** What mountings need from their evaluation. */
interface MountingRun {
  readonly config: EvaluationConfig;
  readonly agents: readonly StoredAgent[];
  readonly servers: readonly ServerConnection[];
}

type Unit = MountingInput['unit'];
type Store = Pick<
  EvaluationStore,
  'iterateMountableTools' | 'getUnitAndSubIntentPlanOrThrow' | 'getCaseOrThrow' | 'listToolsWithNames'
>;

/** Which tools the attempts of an evaluation see. Computed when asked for: tools, units and agents never change. */
export class EvaluationMountings {
  readonly #store: Store;
  readonly #run: () => MountingRun;
  #catalog: MountableCatalog | null = null;
  /** By mounting, overlay and unit. */
  readonly #counts = new Map<string, Map<string, MountedCounts>>();
  readonly #tokensAdded = new Map<string, number>();

  constructor(store: Store, run: () => MountingRun) {
    this.#store = store;
    this.#run = run;
  }

  /** Returns the names of the tools that an agent sees in a unit, in their order. */
  listMountedToolNames(agent: string, unit: Unit): string[] {
    return listShuffledMountedTools(this.#makeMountingInput(this.#getMountingOfAgent(agent), unit)).map(
      ({ name }) => name,
    );
  }

  /** Returns the tools that the agent of a case sees, in their order. */
  listMountedToolsOfCase(id: string): Tool[] {
    const { agent, unit } = this.#store.getCaseOrThrow(id);
    return this.#store.listToolsWithNames(
      this.listMountedToolNames(agent, this.#store.getUnitAndSubIntentPlanOrThrow(unit).unit),
    );
  }

  /** Returns how attempts are kept apart on the servers. */
  listServerIsolations(): ServerIsolation[] {
    const tools = this.#getMountableToolsByServer().flatMap((server) => server.tools);
    return listIsolationOfServers(this.#run().servers, tools);
  }

  /** Returns how much an agent sees over units. */
  summariseMountedTools(agent: string, units: readonly Unit[]): MountedSummary {
    return summariseMountedOverUnits(
      this.#getMountingOfAgent(agent),
      units.map((unit) => this.#getMountedCounts(agent, unit.id, () => unit)),
    );
  }

  /** Returns the overlay under which an agent reads its tools; undefined if there is none. */
  findShownOverlay(agent: string): ShownOverlay | undefined {
    const found = overlayOfAgent(this.#getAgentOrThrow(agent));
    return found && makeShownOverlay(found);
  }

  /** Returns how much an agent sees in the unit with this id. */
  countMountedToolsAndSchemaTokens(agent: string, id: string): MountedInAttempt {
    const { tools, schemaTokens } = this.#getMountedCounts(
      agent,
      id,
      () => this.#store.getUnitAndSubIntentPlanOrThrow(id).unit,
    );
    return { mounting: mountingName(this.#getMountingOfAgent(agent)), tools, schemaTokens };
  }

  #getMountedCounts(agent: string, id: string, readUnit: () => Unit): MountedCounts {
    const mounting = this.#getMountingOfAgent(agent);
    const overlay = overlayOfAgent(this.#getAgentOrThrow(agent));
    // Agents that read the same tools share their counts.
    const name = `${mountingName(mounting)} ${overlay?.sha256 ?? ''}`;
    const counts = this.#counts.get(name) ?? new Map<string, MountedCounts>();
    this.#counts.set(name, counts);
    const known = counts.get(id) ?? this.#countMounted(this.#makeMountingInput(mounting, readUnit()), overlay);
    counts.set(id, known);
    return known;
  }

  /** Counts the tools of a unit, and the tokens of their definitions as the agent reads them. */
  #countMounted(input: MountingInput, overlay: StoredOverlay | undefined): MountedCounts {
    const counted = countToolsAndTokensMountedInUnit(input);
    if (overlay === undefined) return counted;
    const changed = listMountedTools(input).flatMap(({ name }) => (name in overlay.tools ? [name] : []));
    const more = changed.reduce((sum, name) => sum + this.#countTokensAddedByOverlay(overlay, name), 0);
    return { ...counted, schemaTokens: counted.schemaTokens + more };
  }

  /** Returns by how many tokens an overlay makes the definition of a tool longer. */
  #countTokensAddedByOverlay(overlay: StoredOverlay, name: string): number {
    const key = `${overlay.sha256} ${name}`;
    const known = this.#tokensAdded.get(key) ?? countAddedTokens(overlay, this.#store.listToolsWithNames([name]));
    this.#tokensAdded.set(key, known);
    return known;
  }

  #getMountingOfAgent(name: string): Mounting {
    return mountingOfAgent(this.#getAgentOrThrow(name), this.#run().config.mounting);
  }

  #getAgentOrThrow(name: string): StoredAgent {
    const agent = this.#run().agents.find((each) => each.name === name);
    if (agent === undefined) throw new Error(`the evaluation has no agent ${name}`);
    return agent;
  }

  #makeMountingInput(mounting: Mounting, unit: Unit): MountingInput {
    return { mounting, unit, catalog: this.#getMountableToolsByServer(), seed: this.#run().config.seed };
  }

  #getMountableToolsByServer(): MountableCatalog {
    this.#catalog ??= groupMountableToolsByServer(this.#store.iterateMountableTools());
    return this.#catalog;
  }
}
