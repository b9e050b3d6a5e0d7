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
import { isOver, runStatus, type RunStatus } from '#core/runs.ts';
import { announce } from '#core/units/announce.ts';
import type { CatalogPairsAnswer } from '#core/units/answers.ts';
import { advance, advanceTogether, candidatesOf, type StageAnswer, type StageResult } from '#core/units/progress.ts';
import { addUsage, noUsage, usage, type Unit } from '#core/units/unit.ts';
import type { Directory } from './directory.ts';
import { EventLog } from './event-log.ts';
import { EventStream } from './event-stream.ts';
import { ExplorationStore, type UnitFilter } from './exploration-store.ts';

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
  servers: z.array(serverConnection),
  offline: z.boolean(),
  at: z.string(),
});
type Birth = z.infer<typeof birth>;

/** How a run stands; changes with its status and with each round. */
const standing = z.object({
  status: runStatus,
  reason: z.string().nullable(),
  /** The number of the workflow instance that may drive the run; an older one is told to stop. */
  driver: z.number(),
  usage,
  /** By the rounds that are committed. */
  rowsWritten: z.number(),
  endedAt: z.string().nullable(),
});
type Standing = z.infer<typeof standing>;

/** Why a driver has nothing more to do. */
export interface Stop {
  readonly kind: 'stop';
  readonly why: 'over' | 'paused' | 'superseded' | 'nothing-left';
}

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

const unborn = refuse('not-found', 'there is no such exploration');
const silentMs = 10 * 60_000;
/** Nothing stands behind the port yet: units go from the scenario straight to the pair, and the run says so. */
const hasFactIndex = false;

/**
 * One exploration: its units, what it has learnt, its events. The workflow drives it; it alone writes. Every commit and its
 * events are one transaction, and repeating a call changes nothing.
 */
export class ExplorationRun extends DurableObject<Env> {
  readonly #storage: DurableObjectStorage;
  readonly #store: ExplorationStore;
  readonly #log: EventLog;
  readonly #stream: EventStream;
  // Read once and then kept: this object is the only writer.
  #birthRead: Birth | null = null;
  /** Units of the present round as they were last committed. */
  readonly #underWay = new Map<string, Unit>();
  #standingRead: Standing | null = null;
  #state: ExplorationState | null = null;
  /** How many of the rows that store and log have written are in the standing already. */
  #rowsCounted = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#storage = state.storage;
    this.#store = new ExplorationStore(state.storage.sql);
    this.#log = new EventLog(state.storage.sql);
    this.#stream = new EventStream({
      events: (after, limit) => this.#log.read(after, limit),
      isComplete: () => isOver(this.#standing().status),
    });
  }

  /** Gives birth to the run and starts its first driver; again for the same id, it returns the run as it stands. */
  async create(exploration: NewExploration): Promise<ExplorationRecord> {
    const { tools, ...rest } = exploration;
    if (this.#store.fact('birth', birth) === null) {
      this.#storage.transactionSync(() => {
        this.#store.setFact('birth', rest);
        this.#store.writeCatalog(tools);
        this.#setStanding({
          status: 'running',
          reason: null,
          driver: 1,
          usage: noUsage,
          rowsWritten: 0,
          endedAt: null,
        });
        this.#tell([{ type: 'run.created' }, { type: 'grounding.unavailable', reason: 'the run has no fact index' }]);
      });
    }
    await this.#begin();
    return this.#record();
  }

  get(): Result<ExplorationRecord> {
    return this.#exists() ? ok(this.#record()) : unborn;
  }

  pause(): Result<ExplorationRecord> {
    if (!this.#exists()) return unborn;
    const now = this.#standing();
    if (now.status === 'paused') return ok(this.#record());
    if (now.status !== 'running') return refuse('wrong-state', `the exploration is ${now.status}`);
    this.#storage.transactionSync(() => {
      this.#setStanding({ ...now, status: 'paused' });
      this.#tell([{ type: 'run.paused' }]);
    });
    return ok(this.#record());
  }

  async resume(): Promise<Result<ExplorationRecord>> {
    if (!this.#exists()) return unborn;
    const now = this.#standing();
    if (now.status === 'running') return ok(this.#record());
    if (now.status !== 'paused') return refuse('wrong-state', `the exploration is ${now.status}`);
    this.#storage.transactionSync(() => {
      this.#setStanding({ ...now, status: 'running', driver: now.driver + 1 });
      this.#tell([{ type: 'run.resumed' }]);
    });
    await this.#begin();
    return ok(this.#record());
  }

  async cancel(): Promise<Result<ExplorationRecord>> {
    if (!this.#exists()) return unborn;
    const now = this.#standing();
    if (now.status === 'cancelled') return ok(this.#record());
    if (isOver(now.status)) return refuse('wrong-state', `the exploration is ${now.status}`);
    await this.#end('cancelled', 'cancelled by its owner');
    return ok(this.#record());
  }

  /** Gives the run a new driver if it should be driven and has been silent, or whatever it has been where `force` says so. */
  async wake(force: boolean): Promise<void> {
    if (!this.#exists()) return;
    const now = this.#standing();
    if (isOver(now.status)) return this.env.DIRECTORY.getByName('directory').runEnded(this.#birth().id);
    if (now.status !== 'running') return;
    const last = this.#log.lastAt();
    const patienceMs = Math.max(silentMs, 2 * this.#birth().config.agent.timeMs);
    if (!force && last !== null && Date.now() - Date.parse(last) < patienceMs) return;
    this.#driveAnew(now);
    await this.#begin();
  }

  // What the workflow calls.

  context(): RunContext {
    const { config, models, servers } = this.#birth();
    return { seed: config.seed, models, servers, agent: config.agent };
  }

  /** The round that is under way, or a new one; or that there is nothing to drive. */
  async openRound(driver: number): Promise<OpenRound | Stop> {
    const stop = this.#stopFor(driver);
    if (stop !== null) return stop;
    const { config } = this.#birth();
    const state = this.#learnt();
    const round = state.round + 1;
    let units = this.#store.unitsUnder(roundPrefix(round));
    if (units.length === 0) {
      units = openingUnits(state, config, round);
      this.#storage.transactionSync(() => {
        for (const unit of units) this.#store.writeUnit(unit);
        const ended = units.filter(({ stage }) => stage.kind === 'done');
        this.#tell([
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
    const stop = this.#stopFor(driver);
    if (stop !== null) return stop;
    const count = units.filter((id) => this.#unit(id).stage.kind === 'catalog-pair').length;
    return count === 0
      ? { kind: 'stop', why: 'nothing-left' }
      : { kind: 'group', tools: this.#store.catalogTools(), count };
  }

  /** Commits an answer for the units that still wait for it; passed over, as every stage is, once the run is over. */
  commitGroup(units: readonly string[], answer: StageAnswer<CatalogPairsAnswer>): void {
    if (isOver(this.#standing().status)) return;
    const waiting = units.map((id) => this.#unit(id)).filter(({ stage }) => stage.kind === 'catalog-pair');
    this.#storage.transactionSync(() => {
      advanceTogether(waiting, answer).forEach((after, place) => {
        const before = waiting[place];
        if (before === undefined) return;
        this.#store.writeUnit(after);
        this.#tell(announce(before, after));
      });
    });
  }

  openUnit(driver: number, id: string): UnitWork | Stop {
    return this.#stopFor(driver) ?? this.#work(this.#unit(id));
  }

  /**
   * Commits the result of the stage that `revision` names, and says what comes next. A result for a revision that was committed
   * before is passed over; one that was paid for is kept whoever brings it, unless the run is over.
   */
  commitStage(driver: number, id: string, revision: number, result: StageResult): UnitWork | Stop {
    const before = this.#unit(id);
    if (before.revision !== revision || isOver(this.#standing().status)) return this.openUnit(driver, id);
    // The static check, which needs their schemas, belongs to the audit.
    const tools = result.kind === 'audit' ? this.#store.toolsNamed(checkedTools(before)) : [];
    const after = advance(before, result, tools, { ...this.#birth().config, grounding: hasFactIndex });
    this.#storage.transactionSync(() => {
      this.#store.writeUnit(after);
      if (result.kind === 'execution') this.#store.writeTrace(id, result.side, result.trace);
      this.#tell(announce(before, after));
    });
    this.#underWay.set(id, after);
    return this.#stopFor(driver) ?? this.#work(after);
  }

  /** Commits a round whose units are all done, and ends the run where a rule or the budget says so. */
  async commitRound(driver: number, round: number): Promise<{ kind: 'next' } | Stop> {
    const stop = this.#stopFor(driver);
    if (stop !== null) return stop;
    const { config, at } = this.#birth();
    const units = this.#store.unitsUnder(roundPrefix(round));
    const commit = commitRound(this.#learnt(), round, units.map(outcomeOf));
    if (commit.kind === 'out-of-order')
      throw new Error(`round ${round} cannot be committed after ${commit.state.round}`);
    if (commit.kind === 'repeated') return { kind: 'next' };
    const now = this.#standing();
    const spent = units.reduce((sum, unit) => addUsage(sum, unit.usage), now.usage);
    const reading = readingRecord(commit.reading);
    this.#storage.transactionSync(() => {
      this.#store.writeLearnt(commit.touched);
      this.#store.writeReading(reading);
      const written = this.#store.rowsWritten + this.#log.rowsWritten;
      const rowsWritten = now.rowsWritten + written - this.#rowsCounted;
      this.#rowsCounted = written;
      this.#setStanding({ ...now, usage: spent, rowsWritten });
      const committed = {
        type: 'round.committed',
        round,
        units: reading.units,
        reading,
        usage: spent,
        rowsWritten,
      } as const;
      this.#tell([...healthEvents(commit.health), committed]);
    });
    this.#state = commit.state;
    this.#underWay.clear();
    const rule = stopReason(config.stop, commit.reading, commit.state.recentChao1);
    if (rule !== null) await this.#end('completed', `stop rule: ${rule}`);
    const spending = {
      rounds: round,
      tokens: spent.promptTokens + spent.completionTokens,
      costUsd: spent.costUsd,
      wallMs: Date.now() - Date.parse(at),
    };
    const part = exhausted(config.budget, spending);
    if (rule === null && part !== null) await this.#end('completed', `budget: ${part} used up`);
    return this.#stopFor(driver) ?? { kind: 'next' };
  }

  /** The next driver, for a workflow instance that hands over; the same one when asked again. */
  async handOver(driver: number): Promise<void> {
    const now = this.#standing();
    if (now.status !== 'running' || now.driver > driver + 1) return;
    if (now.driver === driver) this.#driveAnew(now);
    await this.#begin();
  }

  /** Ends a run that its driver cannot drive. */
  async fail(driver: number, reason: string): Promise<void> {
    if (this.#stopFor(driver) === null) await this.#end('failed', reason);
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
    const { id } = this.#birth();
    const { round } = this.#learnt();
    const accepted = { status: 'accepted', probe: false, round: null, tool: null } as const;
    const units = this.#store.filterUnits(accepted, after, limit).filter((unit) => unit.round <= round);
    const frozen = await Promise.all(
      units.map(async (unit) => ({ cursor: unit.id, unit: await benchmarkUnitOf(unit, id, harnessVersion) })),
    );
    return frozen.flatMap(({ cursor, unit }) => (unit === null ? [] : [{ cursor, unit }]));
  }

  /** The stream of events; the query's `after` is the last event that the client has. */
  override fetch(request: Request): Response {
    if (!this.#exists()) return new Response(null, { status: 404 });
    const after = Number(new URL(request.url).searchParams.get('after') ?? '0');
    return this.#stream.response(after, request.signal);
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

  #stopFor(driver: number): Stop | null {
    const now = this.#standing();
    if (isOver(now.status)) return { kind: 'stop', why: 'over' };
    if (now.status === 'paused') return { kind: 'stop', why: 'paused' };
    return driver < now.driver ? { kind: 'stop', why: 'superseded' } : null;
  }

  /** Supersedes the present driver. The event is a sign of life too: the new one gets its time before it is superseded in turn. */
  #driveAnew(now: Standing): void {
    const driver = now.driver + 1;
    this.#storage.transactionSync(() => {
      this.#setStanding({ ...now, driver });
      this.#tell([{ type: 'run.driven', driver }]);
    });
  }

  /** Enters the run where unended runs are kept and starts the present driver, which may be there already. */
  async #begin(): Promise<void> {
    const { id } = this.#birth();
    const now = this.#standing();
    if (now.status !== 'running') return;
    await this.env.DIRECTORY.getByName('directory').runStarted(id, 'exploration');
    // createBatch passes over instances that exist; create would throw.
    await this.env.EXPLORATION_WORKFLOW.createBatch([
      { id: `${id}-${now.driver}`, params: { run: id, driver: now.driver } },
    ]);
  }

  async #end(status: RunStatus, reason: string): Promise<void> {
    const now = this.#standing();
    this.#storage.transactionSync(() => {
      this.#setStanding({ ...now, status, reason, endedAt: new Date().toISOString() });
      this.#tell([{ type: 'run.ended', status, reason }]);
    });
    await this.env.DIRECTORY.getByName('directory').runEnded(this.#birth().id);
  }

  #tell(events: readonly EventBody[]): void {
    if (events.length === 0) return;
    this.#log.append(events, new Date().toISOString());
    this.#stream.wake();
  }

  #learnt(): ExplorationState {
    if (this.#state !== null) return this.#state;
    const catalog = indexCatalog(this.#store.catalogIndex());
    const rows = this.#store.learntRows();
    this.#state = rows === null ? initialState(catalog) : stateFromRows(catalog, rows);
    return this.#state;
  }

  #exists(): boolean {
    this.#birthRead ??= this.#store.fact('birth', birth);
    return this.#birthRead !== null;
  }

  #birth(): Birth {
    if (!this.#exists() || this.#birthRead === null) throw new Error('the run has not been created');
    return this.#birthRead;
  }

  #standing(): Standing {
    this.#standingRead ??= this.#store.fact('standing', standing);
    if (this.#standingRead === null) throw new Error('the run has not been created');
    return this.#standingRead;
  }

  /** Inside a transaction that also does whatever the new standing says; where it fails, the old one is read again. */
  #setStanding(value: Standing): void {
    this.#standingRead = null;
    this.#store.setFact('standing', value);
  }

  #record(): ExplorationRecord {
    return recordOf(this.#birth(), this.#standing(), this.#learnt(), this.#store.lastReading());
  }
}

const checkedTools = (unit: Unit): string[] => [...candidatesOf(unit), ...(unit.pair?.chain ?? [])];

const healthEvents = ({ down, retrying, recovered }: HealthChanges): EventBody[] => [
  ...down.map(({ server, untilRound }): EventBody => ({ type: 'server.down', server, untilRound })),
  ...retrying.map((server): EventBody => ({ type: 'server.retried', server })),
  ...recovered.map((server): EventBody => ({ type: 'server.recovered', server })),
];
