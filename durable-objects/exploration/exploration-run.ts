import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import type { Sight } from '#core/access.ts';
import { benchmarkUnitOf, type AcceptedUnit } from '#core/benchmarks/benchmark.ts';
import { serverConnection, type ServerConnection } from '#core/catalog/server.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { refuse } from '#core/errors.ts';
import { ok, type Result } from '#core/result.ts';
import type { EvolutionConfig } from '#core/evolution/config.ts';
import { Kept } from '#core/evolution/kept.ts';
import type { EvolutionRecord } from '#core/evolution/record.ts';
import type { EventBody } from '#core/events.ts';
import { schemaHint } from '#core/exploration/hint/schema-hint.ts';
import { type CatalogIndex, indexCatalog } from '#core/exploration/catalog-index.ts';
import { agreementOf } from '#core/exploration/agreement.ts';
import { commitLate, commitRound } from '#core/exploration/commit.ts';
import type { AgentLimits } from '#core/models/limits.ts';
import { explorationConfig } from '#core/exploration/config.ts';
import { inReview, outcomeOf } from '#core/exploration/learn.ts';
import { storedModels, type StoredModels } from '#core/models/choices.ts';
import { openingUnits, roundPrefix } from '#core/exploration/opening.ts';
import { groundingCounts } from '#core/units/grounding-counts.ts';
import { readingRecord, type RoundReading } from '#core/exploration/reading-record.ts';
import { recordOf, summaryOf } from '#core/exploration/present.ts';
import type {
  Agreement,
  DomainTransition,
  ExplorationRecord,
  NewExploration,
  ReviewDetail,
  ReviewFilter,
  Reviewer,
  SeenUnits,
  TransitionRecord,
  UnitDetail,
  UnitFilter,
} from '#core/exploration/record.ts';
import { stateFromRows } from '#core/exploration/rows.ts';
import type { HealthChanges } from '#core/exploration/server-health.ts';
import { initialState, type ExplorationState } from '#core/exploration/state.ts';
import { exhausted } from '#core/budget.ts';
import { stopReason } from '#core/exploration/stop.ts';
import { strategies } from '#core/exploration/strategies.ts';
import { valuesOf } from '#core/exploration/table.ts';
import { harnessVersion } from '#core/harness.ts';
import { knowledgeConnection, type KnowledgeConnection } from '#core/knowledge/record.ts';
import { isOver } from '#core/runs.ts';
import { announce } from '#core/announcements/unit.ts';
import type { CatalogPairsAnswer } from '#core/units/answers.ts';
import { addGrounding, groundingOf, noGrounding } from '#core/units/grounding-counts.ts';
import { advanceTogether, isOpenToReview, type StageAnswer, type StageResult } from '#core/units/progress.ts';
import type { Verdict } from '#core/units/review.ts';
import {
  decidedShard,
  unitShardInstance,
  unitShards,
  type UnitShard,
  type UnitShardParams,
  type VariantPhase,
} from '#core/units/shards.ts';
import { addUsage, noUsage, usage, type Usage } from '#core/models/usage.ts';
import type { Unit } from '#core/units/unit.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import { Evolution, type Compared, type EvolutionTurn, type SurveyPart, type ToCompare } from './evolution.ts';
import type { IdempotencyKey } from '#core/idempotency.ts';
import { Facts } from '#durable-objects/shared/facts.ts';
import { EvolutionStore } from './evolution-store.ts';
import { acceptedUnit, anyUnit, ExplorationStore, type StoredUnitFilter } from './exploration-store.ts';
import type { LoggedEvent } from '#durable-objects/shared/event-stream.ts';
import { ReviewedUnits } from './reviewed-units.ts';
import { OneAtATime } from '#durable-objects/shared/one-at-a-time.ts';
import { Reviews } from './reviews.ts';
import { newborn, RunLifecycle, runStanding, type Stop } from '#durable-objects/shared/run-lifecycle.ts';
import { UnitDesk, type UnitWork } from './unit-desk.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { explorationRunSchema } from './schema.ts';

export type { UnitWork } from './unit-desk.ts';

/** Units are handed on until they have so many characters of JSON together, so that neither memory nor a call between objects overflows. */
const charsPerRead = 4 * 1024 * 1024;

interface Env {
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
  readonly EXPLORATION_WORKFLOW: Workflow<{ run: string; driver: number }>;
  readonly EVOLUTION_WORKFLOW: Workflow<{ run: string; evolution: number; driver: number }>;
  readonly UNIT_SHARD_WORKFLOW: Workflow<UnitShardParams>;
  readonly REVIEW_WORKFLOW: Workflow<{ run: string; unit: string; driver: number }>;
}

/** How a run was born; never changes. */
const birth = z.object({
  id: z.string(),
  workspace: z.string(),
  config: explorationConfig,
  models: storedModels,
  servers: z.array(serverConnection).readonly(),
  knowledge: knowledgeConnection.nullable().default(null),
  offline: z.boolean(),
  at: z.string(),
});

/** How a run stands; changes with its status and with each round. */
const standing = runStanding.extend({
  usage,
  grounding: groundingCounts.default(noGrounding),
  /** By the rounds that are committed. */
  rowsWritten: z.number(),
});

/** A round to drive: its units that have work, by shard. */
export interface OpenRound {
  readonly kind: 'round';
  readonly round: number;
  readonly shards: readonly UnitShard[];
  /** Whether all its units are done, so that it can be committed. */
  readonly isComplete: boolean;
}

/** What is the same for all units of a run. */
export interface RunContext {
  readonly seed: number;
  readonly models: StoredModels;
  readonly servers: readonly ServerConnection[];
  readonly agent: AgentLimits;
  /** The index that units are grounded in, and the part of it; null where they are not grounded. */
  readonly knowledge: { readonly index: KnowledgeConnection; readonly namespace: string } | null;
}

/**
 * One exploration: its units, what it has learnt, its events. The workflow drives it; it alone writes. Every commit and its
 * events are one transaction, and repeating a call changes nothing.
 */
export class ExplorationRun extends DurableObject<Env> {
  readonly #store: ExplorationStore;
  readonly #life: RunLifecycle<z.infer<typeof birth>, z.infer<typeof standing>>;
  readonly #desk: UnitDesk;
  readonly #reviewed: ReviewedUnits;
  readonly #reviews: Reviews;
  readonly #evolutionStore: EvolutionStore;
  readonly #evolutions = new Map<number, Evolution>();
  readonly #env: Env;
  #state: ExplorationState | null = null;
  #kept: Kept | null = null;
  /** How many of the rows that store and lifecycle have written are in the standing already. */
  #rowsCounted = 0;

  /** The number of an evolution is taken once it is born. */
  readonly #evolving = new OneAtATime();

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    migrate(state.storage, explorationRunSchema);
    this.#store = new ExplorationStore(state.storage.sql);
    this.#life = new RunLifecycle({
      kind: 'exploration',
      storage: state.storage,
      birth,
      standing,
      directory: env.DIRECTORY,
      workspace: ({ workspace }) => workspace,
      // createBatch passes over instances that exist; create would throw.
      start: async (run, driver) =>
        void (await env.EXPLORATION_WORKFLOW.createBatch([{ id: `${run}-${driver}`, params: { run, driver } }])),
    });
    this.#env = env;
    this.#desk = new UnitDesk(this.#store, new Facts(state.storage.sql), () => ({
      ...this.#life.birth.config,
      grounding: this.#life.birth.knowledge !== null,
    }));
    this.#reviewed = new ReviewedUnits(state.storage.sql);
    this.#evolutionStore = new EvolutionStore(state.storage.sql);
    this.#reviews = new Reviews({
      store: this.#store,
      desk: this.#desk,
      reviewed: this.#reviewed,
      directory: env.DIRECTORY,
      workspace: () => this.#life.birth.workspace,
      life: this.#life,
      evolution: (number) => this.#evolution(number),
      isCounted: ({ round }) => round <= this.#learnt().round,
      count: (unit, unpaid) => this.#countLate(unit, unpaid),
      start: async (unit, driver) => {
        const run = this.#life.birth.id;
        await env.REVIEW_WORKFLOW.createBatch([
          { id: `${run}-${unit}-${this.#desk.unit(unit).decisions.length}-${driver}`, params: { run, unit, driver } },
        ]);
      },
      goOn: (unit) => this.#goOnWith(unit),
      longestStageMs: () => this.#longestStageMs(),
    });
  }

  /** Gives birth to the run and starts its first driver; again for the same id, it returns the run as it stands. */
  async create({ tools, ...rest }: NewExploration): Promise<ExplorationRecord> {
    await this.#life.beBorn(rest, { ...newborn, usage: noUsage, grounding: noGrounding, rowsWritten: 0 }, () => {
      this.#store.writeCatalog(tools);
      if (rest.knowledge === null)
        this.#life.tell([{ type: 'grounding.unavailable', reason: 'the run was given no knowledge index' }]);
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
    if (!this.#life.exists || (!force && this.#waitsForPeople())) return;
    await this.#life.wake(force, this.#longestStageMs());
  }

  /** The same for the decisions that are being carried out. */
  async wakeReviews(force: boolean): Promise<void> {
    await this.#reviews.wake(force);
  }

  /** The same for one of its evolutions. */
  async wakeEvolution(number: number, force: boolean): Promise<void> {
    await this.#evolution(number).life.wake(force, this.#longestStageMs());
  }

  // What the workflow calls.

  context(): RunContext {
    const { config, models, servers, knowledge } = this.#life.birth;
    const namespace = config.knowledge?.namespace ?? 'main';
    const grounded = knowledge === null ? null : { index: knowledge, namespace };
    return { seed: config.seed, models, servers, agent: config.agent, knowledge: grounded };
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
        for (const unit of units) this.#desk.write(unit);
        const ended = units.filter(({ stage }) => stage.kind === 'done');
        this.#life.tell([
          { type: 'round.opened', round, units: units.length },
          ...ended.flatMap((unit) => announce(unit, unit)),
        ]);
      });
    }
    const open = await this.#openUnits(round);
    const withWork = open.filter(({ stage }) => stage.kind !== 'waiting');
    const shards = unitShards(`r${round}`, withWork, strategies[config.strategy].unitsPerAnswer);
    return { kind: 'round', round, shards, isComplete: open.length === 0 };
  }

  /** The whole catalog for a writer that sees all of it, and how many pairs are still wanted for these units. */
  openGroup(driver: number, units: readonly string[]): { kind: 'group'; tools: Tool[]; count: number } | Stop {
    const stop = this.#life.stopFor(driver);
    if (stop !== null) return stop;
    const count = units.filter((id) => this.#desk.unit(id).stage.kind === 'catalog-pair').length;
    return count === 0
      ? { kind: 'stop', why: 'nothing-left' }
      : { kind: 'group', tools: this.#store.catalogTools(), count };
  }

  /** Commits an answer for the units that still wait for it; passed over, as every stage is, once the run is over. */
  commitGroup(units: readonly string[], answer: StageAnswer<CatalogPairsAnswer>): void {
    if (isOver(this.#life.standing.status)) return;
    const waiting = units.map((id) => this.#desk.unit(id)).filter(({ stage }) => stage.kind === 'catalog-pair');
    this.#life.transaction(() => {
      advanceTogether(waiting, answer).forEach((after, place) => {
        const before = waiting[place];
        if (before === undefined) return;
        this.#desk.write(after);
        this.#life.tell(announce(before, after));
      });
    });
  }

  openUnit(driver: number, id: string): UnitWork | Stop {
    return this.#life.stopFor(driver) ?? this.#desk.open(this.#life, id);
  }

  /**
   * Commits the result of the stage that `revision` names, and says what comes next. A result for a revision that was committed
   * before is passed over; one that was paid for is kept whoever brings it, unless the run is over.
   */
  commitStage(driver: number, id: string, revision: number, result: StageResult): UnitWork | Stop {
    if (isOver(this.#life.standing.status)) return this.openUnit(driver, id);
    const after = this.#desk.commit(this.#life, id, revision, result);
    return this.#life.stopFor(driver) ?? this.#desk.work(after);
  }

  /** Drops a unit whose work failed for a reason of ours, however often it was tried; again, it changes nothing. */
  setAside(driver: number, id: string, reason: string): void {
    if (this.#life.stopFor(driver) === null) this.#desk.setAside(this.#life, id, reason);
  }

  /**
   * Goes on after a shard of a round has ended: where no unit of the round is open any more, an instance of its own commits it and
   * opens the next. Again, it changes nothing; what was cut off after the commit is begun again.
   */
  async settleRound(driver: number, round: number): Promise<void> {
    if (this.#life.stopFor(driver) !== null) return;
    if (round > this.#learnt().round && (await this.#openUnits(round)).length > 0) return;
    const run = this.#life.birth.id;
    await this.#env.EXPLORATION_WORKFLOW.createBatch([
      { id: `${run}-${driver}-after-r${round}`, params: { run, driver } },
    ]);
  }

  /** The time of a decision that a round waits for is over. */
  override async alarm(): Promise<void> {
    if (!this.#life.exists || this.#life.standing.status !== 'running') return;
    await this.settleRound(this.#life.standing.driver, this.#learnt().round + 1);
  }

  /** Commits a round whose units are all done, and ends the run where a rule or the budget says so. */
  async commitRound(driver: number, round: number): Promise<{ kind: 'next' } | Stop> {
    const stop = this.#life.stopFor(driver);
    if (stop !== null) return stop;
    const { config, at } = this.#life.birth;
    const units = this.#store.unitsUnder(roundPrefix(round));
    const commit = commitRound(
      this.#learnt(),
      round,
      // What comes of a decision that is being carried out is counted when it has been.
      units.map((unit) => (this.#reviewed.has(unit.id) ? inReview(unit) : outcomeOf(unit))),
    );
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
      const grounding = addGrounding(now.grounding, groundingOf(units));
      this.#life.standing = { ...now, usage: spent, grounding, rowsWritten };
      for (const unit of units) {
        const reviewed = this.#reviewed.get(unit.id);
        if (reviewed !== null) this.#reviewed.write({ ...reviewed, counted: unit.usage });
      }
      const committed = {
        type: 'round.committed',
        round,
        units: reading.units,
        reading,
        grounding,
        usage: spent,
        rowsWritten,
      } as const;
      this.#life.tell([...healthEvents(commit.health), committed]);
    });
    this.#state = commit.state;
    this.#desk.clear();
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

  fail(driver: number, reason: string): Promise<void> {
    return this.#life.fail(driver, reason);
  }

  // What reviewers call, and the workflow that carries out what they decide.

  async decide(id: string, verdict: Verdict, reviewer: Reviewer): Promise<Result<ReviewDetail>> {
    if (!this.#life.exists) return refuse('not-found', 'there is no such exploration');
    if (this.#isHidden(id, reviewer.sight)) return withheldUnit();
    const decided = await this.#reviews.decide(id, verdict, reviewer.key);
    return decided.ok ? ok(this.#reviewDetail(decided.value)) : decided;
  }

  openReviewed(driver: number, id: string): UnitWork | Stop {
    return this.#reviews.stopFor(id, driver) ?? this.#desk.open(this.#reviews.runOf(id), id);
  }

  setReviewedAside(driver: number, id: string, reason: string): void {
    if (this.#reviews.stopFor(id, driver) === null) this.#desk.setAside(this.#reviews.runOf(id), id, reason);
  }

  commitReviewed(driver: number, id: string, revision: number, result: StageResult): UnitWork | Stop {
    const stop = this.#reviews.stopFor(id, driver);
    if (stop?.why === 'over') return stop;
    const after = this.#desk.commit(this.#reviews.runOf(id), id, revision, result);
    return stop ?? this.#desk.work(after);
  }

  /** A variant that was approved still has to be told from the kept units. */
  openReviewedDistinct(driver: number, id: string): ToCompare | Stop {
    const { stage, pair } = this.#desk.unit(id);
    const units = stage.kind === 'distinct' ? [{ unit: id, text: pair?.source ?? '' }] : [];
    return this.#reviews.stopFor(id, driver) ?? { kind: 'compare', units };
  }

  commitReviewedDistinct(units: readonly string[], compared: Compared): void {
    for (const id of units) {
      const { lineage } = this.#desk.unit(id);
      if (lineage !== null) this.#evolution(lineage.evolution).commitDistinct([id], compared);
    }
  }

  async settleReviewed(driver: number, id: string): Promise<void> {
    await this.#reviews.settle(id, driver);
  }

  listReviews(filter: ReviewFilter, after: string, limit: number, sight: Sight): Result<SeenUnits> {
    const { state: review, ...rest } = filter;
    return this.#seenUnits({ ...anyUnit, ...rest, review }, after, limit, sight);
  }

  getReview(id: string, sight: Sight): Result<ReviewDetail> {
    if (this.#isHidden(id, sight)) return withheldUnit();
    const unit = this.#store.readUnit(id);
    if (unit === null || (!isOpenToReview(unit) && unit.decisions.length === 0))
      return refuse('not-found', `unit ${id} has never been in review`);
    return ok(this.#reviewDetail(unit));
  }

  agreement(): Result<Agreement> {
    return this.#life.shown(() => this.#agreement());
  }

  #agreement(): Agreement {
    const decided = this.#store.filterUnits({ ...anyUnit, review: 'decided' }, '', -1);
    const open = this.#store.filterUnits({ ...anyUnit, review: 'open' }, '', -1);
    const first = decided.flatMap(({ decisions }) => decisions[0] ?? []);
    return agreementOf(first, open.length, this.#life.birth.config);
  }

  // Evolutions.

  /** Begins an evolution of what the run has found, one at a time; again for the same key, it returns the one that there is. */
  evolve(config: EvolutionConfig, key: IdempotencyKey | null, at: string): Promise<Result<EvolutionRecord>> {
    return this.#evolving.run(() => this.#evolve(config, key, at));
  }

  async #evolve(config: EvolutionConfig, key: IdempotencyKey | null, at: string): Promise<Result<EvolutionRecord>> {
    if (!this.#life.exists) return refuse('not-found', 'there is no such exploration');
    const { id } = this.#life.birth;
    const { status } = this.#life.standing;
    const numbers = this.#evolutionStore.numbers();
    const earlier = key === null ? null : this.#evolutionStore.ofKey(key.key);
    if (earlier !== null) {
      return earlier.fingerprint === key?.fingerprint
        ? ok(this.#evolution(earlier.number).record())
        : refuse('idempotency-mismatch', 'this idempotency key came with another body before; use a new key');
    }
    if (status !== 'completed' && status !== 'cancelled')
      return refuse('wrong-state', `the exploration is ${status}; only a finished one can be evolved`);
    const last = numbers.at(-1);
    if (last !== undefined && !isOver(this.#evolution(last).life.standing.status))
      return refuse('wrong-state', `evolution ${last} has not ended`);
    if (this.#store.filterUnits(acceptedUnit, '', 1).length === 0)
      return refuse('nothing-to-evolve', 'the exploration has no accepted units');
    return ok(await this.#evolution((last ?? 0) + 1).create(id, config, key, at));
  }

  listEvolutions(): Result<EvolutionRecord[]> {
    return this.#life.shown(() => this.#evolutionStore.numbers().map((number) => this.#evolution(number).record()));
  }

  getEvolution(number: number): Result<EvolutionRecord> {
    return this.#hasEvolution(number) ? ok(this.#evolution(number).record()) : this.#noEvolution(number);
  }

  async controlEvolution(number: number, verb: 'pause' | 'resume' | 'cancel'): Promise<Result<EvolutionRecord>> {
    return this.#hasEvolution(number) ? this.#evolution(number).control(verb) : this.#noEvolution(number);
  }

  openTurn(evolution: number, driver: number): Promise<EvolutionTurn | Stop> {
    return this.#evolution(evolution).openTurn(driver);
  }

  openSurvey(evolution: number, driver: number): SurveyPart | Stop {
    return this.#evolution(evolution).openSurvey(driver);
  }

  openVariant(evolution: number, driver: number, id: string): UnitWork | Stop {
    const { life } = this.#evolution(evolution);
    return life.stopFor(driver) ?? this.#desk.open(life, id);
  }

  commitVariant(evolution: number, driver: number, id: string, revision: number, result: StageResult): UnitWork | Stop {
    const { life } = this.#evolution(evolution);
    if (isOver(life.standing.status)) return this.openVariant(evolution, driver, id);
    const after = this.#desk.commit(life, id, revision, result);
    return life.stopFor(driver) ?? this.#desk.work(after);
  }

  setVariantAside(evolution: number, driver: number, id: string, reason: string): void {
    const { life } = this.#evolution(evolution);
    if (life.stopFor(driver) === null) this.#desk.setAside(life, id, reason);
  }

  settleBatch(evolution: number, driver: number, batch: number, phase: VariantPhase): Promise<void> {
    return this.#evolution(evolution).settleBatch(driver, batch, phase);
  }

  commitSurvey(
    evolution: number,
    driver: number,
    part: { units: readonly string[]; to: string | null },
    compared: Compared,
  ): void {
    this.#evolution(evolution).commitSurvey(driver, part, compared);
  }

  openDistinct(evolution: number, driver: number, batch: number): ToCompare | Stop {
    return this.#evolution(evolution).openDistinct(driver, batch);
  }

  commitDistinct(evolution: number, units: readonly string[], compared: Compared): void {
    this.#evolution(evolution).commitDistinct(units, compared);
  }

  commitBatch(evolution: number, driver: number, batch: number): Promise<{ kind: 'next' } | Stop> {
    return this.#evolution(evolution).commitBatch(driver, batch);
  }

  handOverEvolution(evolution: number, driver: number): Promise<void> {
    return this.#evolution(evolution).life.handOver(driver);
  }

  failEvolution(evolution: number, driver: number, reason: string): Promise<void> {
    return this.#evolution(evolution).life.fail(driver, reason);
  }

  // What readers call.

  listUnits(filter: UnitFilter, after: string, limit: number, sight: Sight): Result<SeenUnits> {
    return this.#seenUnits({ ...anyUnit, ...filter }, after, limit, sight);
  }

  getUnit(id: string, sight: Sight): Result<UnitDetail> {
    if (this.#isHidden(id, sight)) return withheldUnit();
    const unit = this.#store.readUnit(id);
    return unit === null ? refuse('not-found', `there is no unit ${id}`) : ok({ unit, traces: this.#store.traces(id) });
  }

  listTransitions(after: string, limit: number): Result<TransitionRecord[]> {
    return this.#life.shown(() => this.#store.transitions(after, limit));
  }

  listReadings(after: number, limit: number): Result<RoundReading[]> {
    return this.#life.shown(() => this.#store.readings(after, limit));
  }

  domainTransitions(): Result<DomainTransition[]> {
    return this.#life.shown(() => [...valuesOf(this.#learnt().domains)].map((count) => ({ ...count })));
  }

  catalogTools(): Tool[] {
    return this.#store.catalogTools();
  }

  /** Units for a benchmark after a cursor (an id), at most `limit`, fewer where they are large; none only where none is left. */
  async acceptedUnits(after: string, limit: number): Promise<AcceptedUnit[]> {
    const { id } = this.#life.birth;
    for (let cursor = after; ;) {
      const read = this.#store.filterUnits(acceptedUnit, cursor, limit, charsPerRead);
      const last = read.at(-1);
      if (last === undefined) return [];
      cursor = last.id;
      const units = read.filter((unit) => this.#belongsToBenchmarks(unit));
      const frozen = await Promise.all(
        units.map(async (unit) => ({ cursor: unit.id, unit: await benchmarkUnitOf(unit, id, harnessVersion) })),
      );
      const withheld = this.#store.withheld();
      const found = frozen.flatMap(({ cursor: at, unit }) =>
        unit === null ? [] : [{ cursor: at, unit, withheld: withheld.has(at) }],
      );
      if (found.length > 0) return found;
    }
  }

  /** Holds units out for a benchmark, for good; returns all units that are held out now. Again, it changes nothing. */
  withhold(units: readonly string[]): string[] {
    this.#life.transaction(() => this.#store.withhold(units));
    return [...this.#store.withheld()];
  }

  /** Whether a benchmark may hold the unit: a kept variant, or an explored unit of a committed round that is no near-duplicate. */
  #belongsToBenchmarks({ id, lineage, duplicateOf, round }: Unit): boolean {
    if (lineage !== null) return this.#keptUnits().has(id);
    return round <= this.#learnt().round && duplicateOf === null;
  }

  override fetch(request: Request): Response {
    const { searchParams } = new URL(request.url);
    const number = Number(searchParams.get('evolution') ?? '0');
    const shows =
      searchParams.get('sight') === 'everything' ? () => true : (event: LoggedEvent) => this.#isPublic(event);
    if (number === 0) return this.#life.follow(request, shows);
    return this.#hasEvolution(number)
      ? this.#evolution(number).life.follow(request, shows)
      : new Response(null, { status: 404 });
  }

  /** Whether an event names no unit that a benchmark holds out. */
  #isPublic({ json }: LoggedEvent): boolean {
    const { unit } = eventOfUnit.parse(JSON.parse(json)).event;
    return unit === undefined || !this.#store.withheld().has(unit);
  }

  #isHidden(unit: string, sight: Sight): boolean {
    return sight === 'public' && this.#store.withheld().has(unit);
  }

  /** The count is that of the whole run: by filter, it would tell which tools hidden units have. */
  #seenUnits(filter: StoredUnitFilter, after: string, limit: number, sight: Sight): Result<SeenUnits> {
    const withheld = sight === 'public' ? false : null;
    return this.#life.shown(() => ({
      units: this.#store.filterUnits({ ...filter, withheld }, after, limit).map(summaryOf),
      withheld: sight === 'public' ? this.#store.withheld().size : 0,
    }));
  }

  #reviewDetail(unit: Unit): ReviewDetail {
    const tools = this.#store.toolsNamed(unit.pair?.chain ?? []);
    return { exploration: this.#life.birth.id, unit, tools, open: isOpenToReview(unit) };
  }

  /** Counts a unit whose round had counted it as in review. Inside a transaction. */
  #countLate(unit: Unit, unpaid: Usage): void {
    const now = this.#life.standing;
    this.#life.standing = { ...now, usage: addUsage(now.usage, unpaid) };
    if (isOpenToReview(unit)) return;
    const commit = commitLate(this.#learnt(), outcomeOf(unit));
    if (commit.kind !== 'committed') return;
    this.#store.writeLearnt(commit.touched);
    this.#state = commit.state;
  }

  /**
   * The units of a round that are not done. Where some of them wait for a person, the alarm goes off when the first of them has
   * waited long enough. A unit that was decided on after it was parked has a driver of its own.
   */
  async #openUnits(round: number): Promise<Unit[]> {
    const { reviewTimeoutMs } = this.#life.birth.config;
    const units = this.#store.unitsUnder(roundPrefix(round)).filter(({ id }) => !this.#reviewed.has(id));
    const waiting = units.filter(({ stage }) => stage.kind === 'waiting');
    const dueMs = waiting.flatMap(({ id }) => this.#reviews.stillWaits(id, reviewTimeoutMs) ?? []);
    if (dueMs.length > 0) await this.ctx.storage.setAlarm(Math.min(...dueMs));
    return units.map(({ id }) => this.#desk.unit(id)).filter(({ stage }) => stage.kind !== 'done');
  }

  /** Goes on with a unit that a person decided on while its round waited; again, it changes nothing. */
  async #goOnWith(unit: Unit): Promise<void> {
    const { driver } = this.#life.standing;
    if (unit.stage.kind === 'done') return this.settleRound(driver, unit.round);
    const shard = decidedShard(unit);
    const params = { run: this.#life.birth.id, driver, round: unit.round, evolution: null, shard, leg: 1 };
    await this.#env.UNIT_SHARD_WORKFLOW.createBatch([{ id: unitShardInstance(params), params }]);
  }

  /** Whether the run waits for nothing but decisions whose time is not over: then nobody has to drive it. */
  #waitsForPeople(): boolean {
    if (this.#life.birth.config.review !== 'wait' || this.#life.standing.status !== 'running') return false;
    const units = this.#store.unitsUnder(roundPrefix(this.#learnt().round + 1));
    const open = units.filter(({ id, stage }) => stage.kind !== 'done' && !this.#reviewed.has(id));
    const { reviewTimeoutMs } = this.#life.birth.config;
    return open.length > 0 && open.every(({ id }) => this.#reviews.mayStillWait(id, reviewTimeoutMs));
  }

  #longestStageMs(): number {
    return this.#life.birth.config.agent.timeMs;
  }

  #hasEvolution(number: number): boolean {
    return this.#evolutionStore.numbers().includes(number);
  }

  #noEvolution(number: number) {
    return refuse('not-found', `the exploration has no evolution ${number}`);
  }

  #evolution(number: number): Evolution {
    const known = this.#evolutions.get(number);
    if (known !== undefined) return known;
    const made = new Evolution(
      {
        storage: this.ctx.storage,
        store: this.#store,
        evolutions: this.#evolutionStore,
        desk: this.#desk,
        reviewed: this.#reviewed,
        directory: this.#env.DIRECTORY,
        workspace: () => this.#life.birth.workspace,
        kept: () => this.#keptUnits(),
        learnt: () => this.#learnt(),
        start: async (evolution, driver, after) => {
          const run = this.#life.birth.id;
          const id = `${run}-e${evolution}-${driver}${after === undefined ? '' : `-after-${after}`}`;
          await this.#env.EVOLUTION_WORKFLOW.createBatch([{ id, params: { run, evolution, driver } }]);
        },
      },
      number,
    );
    this.#evolutions.set(number, made);
    return made;
  }

  #keptUnits(): Kept {
    this.#kept ??= new Kept(this.#evolutionStore.kept());
    return this.#kept;
  }

  #learnt(): ExplorationState {
    if (this.#state !== null) return this.#state;
    const catalog = this.#indexedCatalog();
    const rows = this.#store.learntRows();
    this.#state = rows === null ? initialState(catalog) : stateFromRows(catalog, rows);
    return this.#state;
  }

  #indexedCatalog(): CatalogIndex {
    if (!strategies[this.#life.birth.config.strategy].readsSchemas) return indexCatalog(this.#store.catalogIndex());
    const tools = this.#store.catalogTools();
    return indexCatalog(tools, schemaHint(tools));
  }

  #after(result: Result<null>): Result<ExplorationRecord> {
    return result.ok ? ok(this.#record()) : result;
  }

  #record(): ExplorationRecord {
    return recordOf(this.#life.birth, this.#life.standing, this.#learnt(), this.#store.lastReading());
  }
}

const eventOfUnit = z.object({ event: z.object({ unit: z.string().optional() }) });

const withheldUnit = () =>
  refuse('forbidden', `a benchmark holds this unit out: it needs a key with the scope "admin"`);

const healthEvents = ({ down, retrying, recovered }: HealthChanges): EventBody[] => [
  ...down.map(({ server, untilRound }): EventBody => ({ type: 'server.down', server, untilRound })),
  ...retrying.map((server): EventBody => ({ type: 'server.retried', server })),
  ...recovered.map((server): EventBody => ({ type: 'server.recovered', server })),
];
