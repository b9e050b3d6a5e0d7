import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import { benchmarkUnitOf, type BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { serverConnection, type ServerConnection } from '#core/catalog/server.ts';
import { serverOf, type Tool } from '#core/catalog/tool.ts';
import { ok, refuse, type Result } from '#core/errors.ts';
import type { EventBody } from '#core/events.ts';
import { indexCatalog } from '#core/exploration/catalog-index.ts';
import { commitRound } from '#core/exploration/commit.ts';
import { explorationConfig, type AgentLimits } from '#core/exploration/config.ts';
import { outcomeOf } from '#core/exploration/learn.ts';
import { storedModels, type StoredModels } from '#core/exploration/models.ts';
import { openingUnits, roundPrefix } from '#core/exploration/opening.ts';
import { readingRecord, type RoundReading } from '#core/exploration/reading-record.ts';
import { recordOf, summaryOf } from '#core/exploration/present.ts';
import type {
  DomainTransition,
  ExplorationRecord,
  NewExploration,
  TransitionRecord,
  UnitDetail,
  UnitFilter,
  UnitSummary,
} from '#core/exploration/record.ts';
import { stateFromRows } from '#core/exploration/rows.ts';
import type { HealthChanges } from '#core/exploration/server-health.ts';
import { initialState, type ExplorationState } from '#core/exploration/state.ts';
import { stepsPerRound } from '#core/exploration/steps.ts';
import { exhausted, stopReason } from '#core/exploration/stop.ts';
import { strategyOf } from '#core/exploration/strategies.ts';
import { valuesOf } from '#core/exploration/table.ts';
import { harnessVersion } from '#core/harness.ts';
import { isOver } from '#core/runs.ts';
import { announce } from '#core/units/announce.ts';
import type { CatalogPairsAnswer } from '#core/units/answers.ts';
import { advance, advanceTogether, candidatesOf, type StageAnswer, type StageResult } from '#core/units/progress.ts';
import { addUsage, noUsage, usage, type Unit } from '#core/units/unit.ts';
import type { Directory } from './directory.ts';
import { ExplorationStore } from './exploration-store.ts';
import { newborn, RunLifecycle, runStanding, type Stop } from './run-lifecycle.ts';

interface Env {
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
  readonly EXPLORATION_WORKFLOW: Workflow<{ run: string; driver: number }>;
}

/** How a run was born; never changes. */
const birth = z.object({
  id: z.string(),
  workspace: z.string(),
  config: explorationConfig,
  models: storedModels,
  servers: z.array(serverConnection).readonly(),
  offline: z.boolean(),
  at: z.string(),
});

/** How a run stands; changes with its status and with each round. */
const standing = runStanding.extend({
  usage,
  /** By the rounds that are committed. */
  rowsWritten: z.number(),
});

/** A round to drive: groups of units that one answer of the writer serves, and the units that are not done. */
export interface OpenRound {
  readonly kind: 'round';
  readonly round: number;
  readonly groups: readonly (readonly string[])[];
  readonly units: readonly string[];
  /** Steps that any round of the run takes at most. */
  readonly stepsPerRound: number;
}

/** All that the present stage of a unit needs. */
export interface UnitWork {
  readonly kind: 'work';
  readonly unit: Unit;
  /** Of the candidates for the writer, of the chain for the audit, of the chain's servers for the agent. */
  readonly tools: readonly Tool[];
}

/** What is the same for all units of a run. */
export interface RunContext {
  readonly seed: number;
  readonly models: StoredModels;
  readonly servers: readonly ServerConnection[];
  readonly agent: AgentLimits;
}

/** Nothing stands behind the port yet: units go from the scenario straight to the pair, and the run says so. */
const hasFactIndex = false;

/**
 * One exploration: its units, what it has learnt, its events. The workflow drives it; it alone writes. Every commit and its
 * events are one transaction, and repeating a call changes nothing.
 */
export class ExplorationRun extends DurableObject<Env> {
  readonly #store: ExplorationStore;
  readonly #life: RunLifecycle<z.infer<typeof birth>, z.infer<typeof standing>>;
  /** Units of the present round as they were last committed. */
  readonly #underWay = new Map<string, Unit>();
  #state: ExplorationState | null = null;
  /** How many of the rows that store and lifecycle have written are in the standing already. */
  #rowsCounted = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#store = new ExplorationStore(state.storage.sql);
    this.#life = new RunLifecycle({
      kind: 'exploration',
      storage: state.storage,
      birth,
      standing,
      directory: env.DIRECTORY,
      // createBatch passes over instances that exist; create would throw.
      start: async (run, driver) =>
        void (await env.EXPLORATION_WORKFLOW.createBatch([{ id: `${run}-${driver}`, params: { run, driver } }])),
    });
  }

  /** Gives birth to the run and starts its first driver; again for the same id, it returns the run as it stands. */
  async create({ tools, ...rest }: NewExploration): Promise<ExplorationRecord> {
    await this.#life.beBorn(rest, { ...newborn, usage: noUsage, rowsWritten: 0 }, () => {
      this.#store.writeCatalog(tools);
      this.#life.tell([{ type: 'grounding.unavailable', reason: 'the run has no fact index' }]);
    });
    return this.#record();
  }

  get(): Result<ExplorationRecord> {
    return this.#life.shown(() => this.#record());
  }

  pause(): Result<ExplorationRecord> {
    return this.#after(this.#life.pause());
  }

  async resume(): Promise<Result<ExplorationRecord>> {
    return this.#after(await this.#life.resume());
  }

  async cancel(): Promise<Result<ExplorationRecord>> {
    return this.#after(await this.#life.cancel());
  }

  /** Gives the run a new driver if it should be driven and has been silent, or whatever it has been where `force` says so. */
  async wake(force: boolean): Promise<void> {
    await this.#life.wake(force, this.#life.exists ? this.#life.birth.config.agent.timeMs : 0);
  }

  // What the workflow calls.

  context(): RunContext {
    const { config, models, servers } = this.#life.birth;
    return { seed: config.seed, models, servers, agent: config.agent };
  }

  /** The round that is under way, or a new one; or that there is nothing to drive. */
  async openRound(driver: number): Promise<OpenRound | Stop> {
    const stop = this.#life.stopFor(driver);
    if (stop !== null) return stop;
    const { config } = this.#life.birth;
    const state = this.#learnt();
    const round = state.round + 1;
    let units = this.#store.unitsUnder(roundPrefix(round));
    if (units.length === 0) {
      units = openingUnits(state, config, round);
      this.#life.transaction(() => {
        for (const unit of units) this.#store.writeUnit(unit);
        const ended = units.filter(({ stage }) => stage.kind === 'done');
        this.#life.tell([
          { type: 'round.opened', round, units: units.length },
          ...ended.flatMap((unit) => announce(unit, unit)),
        ]);
      });
    }
    const { unitsPerAnswer } = strategyOf(config.strategy);
    const unwritten = units.filter(({ stage }) => stage.kind === 'catalog-pair').map(({ id }) => id);
    const groups: string[][] = [];
    for (let from = 0; from < unwritten.length; from += unitsPerAnswer)
      groups.push(unwritten.slice(from, from + unitsPerAnswer));
    const open = units.filter(({ stage }) => stage.kind !== 'done').map(({ id }) => id);
    return { kind: 'round', round, groups, units: open, stepsPerRound: stepsPerRound(config) };
  }

  /** The whole catalog for a writer that sees all of it, and how many pairs are still wanted for these units. */
  openGroup(driver: number, units: readonly string[]): { kind: 'group'; tools: Tool[]; count: number } | Stop {
    const stop = this.#life.stopFor(driver);
    if (stop !== null) return stop;
    const count = units.filter((id) => this.#unit(id).stage.kind === 'catalog-pair').length;
    return count === 0
      ? { kind: 'stop', why: 'nothing-left' }
      : { kind: 'group', tools: this.#store.catalogTools(), count };
  }

  /** Commits an answer for the units that still wait for it; passed over, as every stage is, once the run is over. */
  commitGroup(units: readonly string[], answer: StageAnswer<CatalogPairsAnswer>): void {
    if (isOver(this.#life.standing.status)) return;
    const waiting = units.map((id) => this.#unit(id)).filter(({ stage }) => stage.kind === 'catalog-pair');
    this.#life.transaction(() => {
      advanceTogether(waiting, answer).forEach((after, place) => {
        const before = waiting[place];
        if (before === undefined) return;
        this.#store.writeUnit(after);
        this.#life.tell(announce(before, after));
      });
    });
  }

  openUnit(driver: number, id: string): UnitWork | Stop {
    return this.#life.stopFor(driver) ?? this.#work(this.#unit(id));
  }

  /**
   * Commits the result of the stage that `revision` names, and says what comes next. A result for a revision that was committed
   * before is passed over; one that was paid for is kept whoever brings it, unless the run is over.
   */
  commitStage(driver: number, id: string, revision: number, result: StageResult): UnitWork | Stop {
    const before = this.#unit(id);
    if (before.revision !== revision || isOver(this.#life.standing.status)) return this.openUnit(driver, id);
    // The static check, which needs their schemas, belongs to the audit.
    const tools = result.kind === 'audit' ? this.#store.toolsNamed(checkedTools(before)) : [];
    const after = advance(before, result, tools, { ...this.#life.birth.config, grounding: hasFactIndex });
    this.#life.transaction(() => {
      this.#store.writeUnit(after);
      if (result.kind === 'execution') this.#store.writeTrace(id, result.side, result.trace);
      this.#life.tell(announce(before, after));
    });
    this.#underWay.set(id, after);
    return this.#life.stopFor(driver) ?? this.#work(after);
  }

  /** Commits a round whose units are all done, and ends the run where a rule or the budget says so. */
  async commitRound(driver: number, round: number): Promise<{ kind: 'next' } | Stop> {
    const stop = this.#life.stopFor(driver);
    if (stop !== null) return stop;
    const { config, at } = this.#life.birth;
    const units = this.#store.unitsUnder(roundPrefix(round));
    const commit = commitRound(this.#learnt(), round, units.map(outcomeOf));
    if (commit.kind === 'out-of-order')
      throw new Error(`round ${round} cannot be committed after ${commit.state.round}`);
    if (commit.kind === 'repeated') return { kind: 'next' };
    const now = this.#life.standing;
    const spent = units.reduce((sum, unit) => addUsage(sum, unit.usage), now.usage);
    const reading = readingRecord(commit.reading);
    this.#life.transaction(() => {
      this.#store.writeLearnt(commit.touched);
      this.#store.writeReading(reading);
      const written = this.#store.rowsWritten + this.#life.rowsWritten;
      const rowsWritten = now.rowsWritten + written - this.#rowsCounted;
      this.#rowsCounted = written;
      this.#life.standing = { ...now, usage: spent, rowsWritten };
      const committed = {
        type: 'round.committed',
        round,
        units: reading.units,
        reading,
        usage: spent,
        rowsWritten,
      } as const;
      this.#life.tell([...healthEvents(commit.health), committed]);
    });
    this.#state = commit.state;
    this.#underWay.clear();
    const rule = stopReason(config.stop, commit.reading, commit.state.recentChao1);
    if (rule !== null) await this.#life.end('completed', `stop rule: ${rule}`);
    const spending = {
      rounds: round,
      tokens: spent.promptTokens + spent.completionTokens,
      costUsd: spent.costUsd,
      wallMs: Date.now() - Date.parse(at),
    };
    const part = exhausted(config.budget, spending);
    if (rule === null && part !== null) await this.#life.end('completed', `budget: ${part} used up`);
    return this.#life.stopFor(driver) ?? { kind: 'next' };
  }

  handOver(driver: number): Promise<void> {
    return this.#life.handOver(driver);
  }

  fail(driver: number, reason: string): Promise<void> {
    return this.#life.fail(driver, reason);
  }

  // What readers call.

  listUnits(filter: UnitFilter, after: string, limit: number): UnitSummary[] {
    return this.#store.filterUnits(filter, after, limit).map(summaryOf);
  }

  getUnit(id: string): Result<UnitDetail> {
    const unit = this.#store.readUnit(id);
    return unit === null ? refuse('not-found', `there is no unit ${id}`) : ok({ unit, traces: this.#store.traces(id) });
  }

  listTransitions(after: string, limit: number): TransitionRecord[] {
    return this.#store.transitions(after, limit);
  }

  listReadings(after: number, limit: number): RoundReading[] {
    return this.#store.readings(after, limit);
  }

  domainTransitions(): DomainTransition[] {
    return [...valuesOf(this.#learnt().domains)].map((count) => ({ ...count }));
  }

  catalogTools(): Tool[] {
    return this.#store.catalogTools();
  }

  /** Accepted, steered units of committed rounds for a benchmark, after a cursor (an id), at most `limit`. */
  async acceptedUnits(after: string, limit: number): Promise<{ cursor: string; unit: Omit<BenchmarkUnit, 'split'> }[]> {
    const { id } = this.#life.birth;
    const { round } = this.#learnt();
    const accepted = { status: 'accepted', probe: false, round: null, tool: null } as const;
    const units = this.#store.filterUnits(accepted, after, limit).filter((unit) => unit.round <= round);
    const frozen = await Promise.all(
      units.map(async (unit) => ({ cursor: unit.id, unit: await benchmarkUnitOf(unit, id, harnessVersion) })),
    );
    return frozen.flatMap(({ cursor, unit }) => (unit === null ? [] : [{ cursor, unit }]));
  }

  override fetch(request: Request): Response {
    return this.#life.follow(request);
  }

  #work(unit: Unit): UnitWork | Stop {
    const names = unit.pair?.chain ?? [];
    switch (unit.stage.kind) {
      case 'done':
      case 'catalog-pair':
        return { kind: 'stop', why: 'nothing-left' };
      case 'scenario':
      case 'grounding':
      case 'pair':
        return { kind: 'work', unit, tools: this.#store.toolsNamed(candidatesOf(unit)) };
      case 'audit':
      case 'refinement':
        return { kind: 'work', unit, tools: this.#store.toolsNamed(names) };
      case 'execution':
        return { kind: 'work', unit, tools: this.#store.toolsOfServers([...new Set(names.map(serverOf))]) };
    }
  }

  #unit(id: string): Unit {
    const unit = this.#underWay.get(id) ?? this.#store.readUnit(id);
    if (unit === null) throw new Error(`there is no unit ${id}`);
    return unit;
  }

  #learnt(): ExplorationState {
    if (this.#state !== null) return this.#state;
    const catalog = indexCatalog(this.#store.catalogIndex());
    const rows = this.#store.learntRows();
    this.#state = rows === null ? initialState(catalog) : stateFromRows(catalog, rows);
    return this.#state;
  }

  #after(result: Result<null>): Result<ExplorationRecord> {
    return result.ok ? ok(this.#record()) : result;
  }

  #record(): ExplorationRecord {
    return recordOf(this.#life.birth, this.#life.standing, this.#learnt(), this.#store.lastReading());
  }
}

const checkedTools = (unit: Unit): string[] => [...candidatesOf(unit), ...(unit.pair?.chain ?? [])];

const healthEvents = ({ down, retrying, recovered }: HealthChanges): EventBody[] => [
  ...down.map(({ server, untilRound }): EventBody => ({ type: 'server.down', server, untilRound })),
  ...retrying.map((server): EventBody => ({ type: 'server.retried', server })),
  ...recovered.map((server): EventBody => ({ type: 'server.recovered', server })),
];
