import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import { Admission } from '#adapters/network/admission.ts';
import { makeRedisRankingIfConfigured } from '#adapters/ranking/choose-ranking.ts';
import { settingsSchema } from '#adapters/settings.ts';
import { refuse } from '#core/values/errors.ts';
import { err, mapErr, ok, type Result } from '#core/values/result.ts';
import {
  rankingChangeByAdding,
  rankingChangeByRemoving,
  computePlacesAndFronts,
  type MakeTieTest,
} from '#core/leaderboards/ranking-change.ts';
import {
  entryMoves,
  decideEntryMoveOrRefuse,
  refuseEntryUnlessPublished,
  type EntryVerb,
} from '#core/leaderboards/entry-state.ts';
import { pickEvenlyFromFront } from '#core/leaderboards/pareto-front.ts';
import { emptyLogHash, makeLeaderboardDefinitionLogLine, hashRecord } from '#core/leaderboards/log-lines.ts';
import { makeLeaderboardRefusalProblem } from '#core/leaderboards/problems.ts';
import {
  rankingOrdersOfProtocol,
  unitMetric,
  type RankingMetric,
  type RankingOrders,
} from '#core/leaderboards/metrics.ts';
import {
  pairedMeanDifferenceWithInterval,
  isTieOrTooFewUnits,
  type UnitValues,
} from '#core/leaderboards/paired-interval.ts';
import { maxFrontEntries, maxEntriesOfName, findEntryRefusalText } from '#core/leaderboards/limits.ts';
import {
  makeEntryOfPublication,
  repeatsLeaderboardCreation,
  makeLeaderboardRecord,
  makeRecordContent,
} from '#core/leaderboards/public-view.ts';
import type { Ranked, RankedPlace, RankingChange, RankingPage } from '#core/leaderboards/ranking.ts';
import {
  entry,
  leaderboardCreation,
  type BoardSubmission,
  type Entry,
  type LeaderboardCreation,
  type LeaderboardRecord,
  type LogLine,
  type PairedPlace,
  type RankedEntry,
  type SignedRecord,
} from '#core/leaderboards/record.ts';
import { defaultProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { sortKeysOfEntryByMetric } from '#core/leaderboards/ranking-score.ts';
import type { PrivateHandOut, Publication, Published } from '#core/leaderboards/scored-submission.ts';
import { signRecord, makeSigningKeyFromSeed } from '#core/leaderboards/signature.ts';
import { makeCopyFinding, computeCopyThresholds } from '#core/leaderboards/copy-finding.ts';
import type { Finding } from '#core/leaderboards/submissions/findings.ts';
import { normalizeName } from '#core/leaderboards/submissions/record.ts';
import {
  moderatorReasonText,
  type SubmissionState,
  type SubmissionTier,
} from '#core/leaderboards/submissions/state.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { Mutex } from '#durable-objects/shared/mutex.ts';
import type { PublishingLeaderboard, QueuedSubmission } from '#durable-objects/shared/objects.ts';
import type { Answers, ObjectsOf } from '#durable-objects/shared/rpc.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import { EmbeddedRanking } from './embedded-ranking.ts';
import { ListedCounts } from './listed-counts.ts';
import { LoggedChanges } from './logged-changes.ts';
import { LeaderboardStore } from './leaderboard-store.ts';
import { RankingOutbox } from './ranking-outbox.ts';
import { ScoringQueue } from './scoring-queue.ts';
import { leaderboardSchema } from './schema.ts';

interface Env {
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
  readonly SUBMISSION: ObjectsOf<QueuedSubmission>;
}

/** Decides ties by the values of units. The leader's values are cached, because many entries are compared with it. */
const makeTieTestFactory =
  (store: Pick<LeaderboardStore, 'readUnitValues'>): MakeTieTest =>
  (metric) => {
    const { data } = unitMetric.safeParse(metric);
    if (data === undefined) return () => false;
    let last: { readonly id: string; readonly values: UnitValues } | null = null;
    return (leader, other) => {
      if (last?.id !== leader) last = { id: leader, values: store.readUnitValues(leader, data) };
      return isTieOrTooFewUnits(last.values, store.readUnitValues(other, data));
    };
  };

/**
 * One leaderboard: its entries with their signed records, the log that links them, and the ranking. What belongs
 * together is one transaction. Hashing and signing are asynchronous, so writers of the log take turns.
 */
export class Leaderboard extends DurableObject<Env> implements Answers<PublishingLeaderboard> {
  readonly #storage: DurableObjectStorage;
  readonly #singletons: SingletonTable;
  readonly #store: LeaderboardStore;
  readonly #ranking: EmbeddedRanking;
  readonly #queue: ScoringQueue;
  readonly #changes: LoggedChanges;
  readonly #counts: ListedCounts;
  readonly #writing = new Mutex();
  #opened: LeaderboardCreation | null = null;
  #elsewhere: RankingOutbox | null = null;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    migrate(state.storage, leaderboardSchema);
    this.#storage = state.storage;
    this.#singletons = new SingletonTable(state.storage.sql);
    this.#store = new LeaderboardStore(state.storage.sql);
    this.#ranking = new EmbeddedRanking(state.storage.sql, () => this.#orders);
    this.#changes = new LoggedChanges({
      storage: state.storage,
      store: this.#store,
      ranking: this.#ranking,
      createTables: () => void this.#findOrMakeOutbox(),
    });
    this.#queue = new ScoringQueue(this.#store, (id) => env.SUBMISSION.getByName(id).startIfAdmitted());
    this.#counts = new ListedCounts({ env, singletons: this.#singletons, store: this.#store, ranking: this.#ranking });
    // An earlier version left no ranking, or one without tiers. If rankings are read in a database, the alarm updates it.
    if (this.#ranking.lacksReadableRanking && (this.#ranking.seq > 0 || this.#store.listPublished('', 1).length > 0)) {
      this.#rebuildRanking();
      void this.#storage.setAlarm(Date.now());
    }
    void state.blockConcurrencyWhile(() => this.#logIfReleaseReordered());
    state.waitUntil(this.#counts.report());
  }

  /** Opens the leaderboard. Idempotent. */
  open(creation: LeaderboardCreation): Promise<Result<LeaderboardRecord>> {
    return this.#writing.run(async () => {
      const known = this.#findCreation();
      if (known !== null && !repeatsLeaderboardCreation(known, creation))
        return err(makeLeaderboardRefusalProblem({ reason: 'leaderboard-exists', ...known }));
      if (known === null) {
        const line = await makeLeaderboardDefinitionLogLine('opened', creation, { at: creation.at, reason: '' });
        await this.#changes.commitWithLogLine(line, () => {
          this.#singletons.write('birth', creation);
          this.#singletons.write('metrics', rankingOrdersOfProtocol(creation.protocol).metrics);
        });
      }
      return this.get();
    });
  }

  get(): Result<LeaderboardRecord> {
    const creation = this.#findCreation();
    return creation === null ? noBoard : ok(makeLeaderboardRecord(creation, this.#ranking.totals));
  }

  creation(): Result<LeaderboardCreation> {
    const creation = this.#findCreation();
    return creation === null ? noBoard : ok(creation);
  }

  /** Gives a name to a workspace permanently. Idempotent. */
  claimName(name: string, workspace: string): Result<null> {
    if (this.#findCreation() === null) return noBoard;
    const holder = this.#store.claimNameOrFindOwner({ name, workspace });
    if (holder === null) return ok(null);
    const taken = normalizeName(holder.name) === normalizeName(name) ? 'is' : `looks like "${holder.name}",`;
    return refuse('name-taken', `"${name}" ${taken} the name of another submitter on this leaderboard`);
  }

  /** Refuses a workspace that was given the private units, unless it was for this submission. */
  refuseWorkspaceGivenPrivateUnits(workspace: string, submission: string): Result<null> {
    const given = this.#store.findSubmissionWithPrivateUnits(workspace);
    return given === null || given === submission
      ? ok(null)
      : err(makeLeaderboardRefusalProblem({ reason: 'private-units-given', submission: given }));
  }

  /**
   * Records, and says in the log, that a submission is given the private units: once for each workspace, refused if it
   * was given them for another submission. Idempotent.
   */
  recordPrivateUnitsGivenOnce({ submission, workspace, name, units, at }: PrivateHandOut): Promise<Result<null>> {
    return this.#writing.run(async () => {
      const allowed = this.refuseWorkspaceGivenPrivateUnits(workspace, submission);
      if (!allowed.ok || this.#store.findSubmissionWithPrivateUnits(workspace) !== null) return allowed;
      const reason = `it is given the ${units} private units among the public ones`;
      await this.#changes.commitWithLogLine(
        { at, kind: 'private-units', entry: submission, name, record: null, reason },
        () => this.#store.notePrivateUnitsGiven(workspace, submission),
      );
      return ok(null);
    });
  }

  /**
   * Publishes a submission, unless it is suspicious or cannot have a place here. Repeating it returns the existing
   * entry. Entry, signed record, log line and ranking are written atomically.
   */
  async publishUnlessSuspicious(publication: Publication): Promise<Published> {
    const published = await this.#writing.run(async (): Promise<Published> => {
      const known = this.#store.findEntryStanding(publication.submission);
      if (known?.state === 'withdrawn') return { kind: 'refused', reason: 'the submission was withdrawn' };
      if (known !== null) return { kind: 'published', entry: this.#store.getEntryOrThrow(publication.submission) };
      const creation = this.#findCreation();
      const reason =
        creation === null ? 'there is no such leaderboard' : this.#claimNameOrFindRefusalText(creation, publication);
      if (creation === null || reason !== null) return { kind: 'refused', reason: reason ?? '' };
      const findings = publication.approved === null ? this.#listSuspicions(publication) : [];
      if (findings.length > 0) return { kind: 'suspicious', findings };
      return { kind: 'published', entry: await this.#publishEntry(creation, publication) };
    });
    this.ctx.waitUntil(this.#counts.report());
    await this.#findOrMakeOutbox()?.deliverUnlessFailing();
    return published;
  }

  /** Hides a published entry. */
  hideEntry(id: string, reason: string, at: string): Promise<Result<null>> {
    return this.#changeEntryState('hide', id, reason, at);
  }

  /** Shows a hidden entry again. */
  showEntry(id: string, reason: string, at: string): Promise<Result<null>> {
    return this.#changeEntryState('show', id, reason, at);
  }

  /** Withdraws an entry permanently. */
  withdrawEntry(id: string, reason: string, at: string): Promise<Result<null>> {
    return this.#changeEntryState('withdraw', id, reason, at);
  }

  getShownEntry(id: string): Result<Entry> {
    const shown = this.#refuseUnlessEntryShown(id);
    return shown.ok ? ok(this.#store.getEntryOrThrow(id)) : shown;
  }

  getShownSignedRecord(id: string): Result<SignedRecord> {
    const shown = this.#refuseUnlessEntryShown(id);
    return shown.ok ? ok(this.#store.getSignedRecordOrThrow(id)) : shown;
  }

  /** Compares two published entries unit by unit; without figures if the metric has no unit values. */
  compareEntries(metric: RankingMetric, id: string, other: string): PairedPlace | null {
    if (!this.#refuseUnlessEntryShown(id).ok || !this.#refuseUnlessEntryShown(other).ok) return null;
    const { name } = this.#store.getEntryOrThrow(other);
    const { data } = unitMetric.safeParse(metric);
    if (data === undefined) return { with: other, name, difference: null, low: null, high: null, units: 0 };
    const [ours, theirs] = [this.#store.readUnitValues(id, data), this.#store.readUnitValues(other, data)];
    return { with: other, name, ...pairedMeanDifferenceWithInterval(ours, theirs) };
  }

  /** Returns the published entries of a name by its submitter, newest first and at most 50. */
  listEntriesOfName(name: string, workspace: string): Entry[] {
    return this.#store.listPublishedOfName(normalizeName(name), workspace, maxEntriesOfName);
  }

  /** Returns who submitted a published entry, and under which name. */
  getShownEntryOwner(id: string): Result<{ workspace: string; name: string }> {
    const shown = this.#refuseUnlessEntryShown(id);
    return shown.ok ? ok(this.#store.getEntryOwnerOrThrow(id)) : shown;
  }

  /** Returns whether the leaderboard belongs to the workspace and the submission to the leaderboard. */
  mayModerate(workspace: string, submission: string): boolean {
    const creation = this.creation();
    return creation.ok && creation.value.workspace === workspace && this.#store.hasSubmission(submission);
  }

  /** Published entries by id, after `after`, at most `limit`, each with its place in its tier by the headline. */
  listPublishedWithPlaces(after: string, limit: number): RankedEntry[] {
    return this.#store
      .listPublished(after, limit)
      .map((of) => ({ ...this.#ranking.getPositionRankAndFront(this.#orders.headline, of.id), entry: of }));
  }

  /**
   * Returns the entries on a tier's Pareto front of cost and the headline, by cost; 200 of a longer one, including its ends.
   */
  listThinnedFront(tier: SubmissionTier): Entry[] {
    return this.#ranking
      .readEntryJsons(pickEvenlyFromFront(this.#ranking.listIdsOfParetoFront(tier), maxFrontEntries))
      .map((json) => entry.parse(JSON.parse(json)));
  }

  /** Log lines after number `after`, at most `limit`. */
  logLines(after: number, limit: number): LogLine[] {
    return this.#store.listLogLines(after, limit);
  }

  /** Updates a submission on the moderators' list, and calls the next ones if a place is free. */
  recordSubmissionState(submission: BoardSubmission & { readonly workspace: string }): void {
    const next = this.#queue.recordStateAndReserveNext(submission);
    this.ctx.waitUntil(Promise.all([this.#counts.report(), ...next.map((id) => this.#queue.notifyTurn(id))]));
  }

  /** Returns whether a submission may be scored now. If so, it keeps its place until it is settled. */
  admitIfFree(id: string): boolean {
    return this.#queue.admitToScoringIfFree(id);
  }

  /** Submissions by id, for the workspace's moderators; in one state, or in all. */
  listSubmissionsForModerators(
    workspace: string,
    state: SubmissionState | null,
    after: string,
    limit: number,
  ): Result<BoardSubmission[]> {
    const creation = this.#findCreation();
    return creation?.workspace === workspace
      ? ok(this.#store.listSubmissions(state, after, limit))
      : refuse('not-found', 'the workspace has no such leaderboard');
  }

  page(tier: SubmissionTier, metric: RankingMetric, from: number, limit: number): Ranked<RankingPage> {
    return { ok: true, value: this.#ranking.readPage(tier, metric, from, limit) };
  }

  place(metric: RankingMetric, id: string): Ranked<RankedPlace | null> {
    return { ok: true, value: this.#ranking.findRankedPlace(metric, id) };
  }

  seq(): Ranked<number> {
    return { ok: true, value: this.#ranking.seq };
  }

  /** Updates the ranking in the deployment's database, if it differs from this one. */
  async syncDatabaseRanking(): Promise<void> {
    await this.#findOrMakeOutbox()?.deliverAndRebuildIfDifferent();
  }

  /** Tries again after a failure. */
  override alarm(): Promise<void> {
    return this.syncDatabaseRanking();
  }

  /** Rows of the ranking read and written since this object started. */
  countRankingRows(): { read: number; written: number } {
    return { read: this.#ranking.rowsRead, written: this.#ranking.rowsWritten };
  }

  /** Rebuilds the ranking from the published entries and their values, as its next change. */
  #rebuildRanking(): void {
    this.#changes.commitInTransaction(() => {
      const keyed = Array.from(this.#store.iteratePublishedEntries(), (each) => ({
        id: each.id,
        tier: each.tier,
        keys: sortKeysOfEntryByMetric(each),
      }));
      const whole = {
        seq: this.#ranking.seq + 1,
        ...computePlacesAndFronts(this.#orders, keyed, makeTieTestFactory(this.#store)),
      };
      const entries = keyed.values().map(({ id }) => ({ id, json: this.#store.getEntryJsonOrThrow(id) }));
      this.#ranking.replaceRanking(whole, entries);
    });
  }

  /** Null if the deployment has no database, and before there is a leaderboard. */
  #findOrMakeOutbox(): RankingOutbox | null {
    const creation = this.#findCreation();
    if (creation === null || this.#elsewhere !== null) return this.#elsewhere;
    const store = makeRedisRankingIfConfigured(settingsSchema.parse(this.env), creation, new Admission());
    if (store !== null) this.#elsewhere = new RankingOutbox(this.#storage, this.#ranking, store);
    return this.#elsewhere;
  }

  /** Notes in the log that a release changed what entries can be ordered by, and the definition with it. Once a change. */
  async #logIfReleaseReordered(): Promise<void> {
    const creation = this.#findCreation();
    const before = this.#singletons.read('metrics', z.array(z.string()));
    const { metrics } = this.#orders;
    if (creation === null || before?.join() === metrics.join()) return;
    const reason = `entries are ordered by ${metrics.join(', ')} since this release; those without a score come last`;
    const line = await makeLeaderboardDefinitionLogLine('reordered', creation, {
      at: new Date().toISOString(),
      reason,
    });
    await this.#changes.commitWithLogLine(line, () => this.#singletons.write('metrics', metrics));
  }

  /** What entries are ordered by, which its protocol decides. */
  get #orders(): RankingOrders {
    return rankingOrdersOfProtocol(this.#findCreation()?.protocol ?? defaultProtocol);
  }

  #findCreation(): LeaderboardCreation | null {
    this.#opened ??= this.#singletons.read('birth', leaderboardCreation);
    return this.#opened;
  }

  /** Claims the publication's name; returns why a submission cannot have a place here, regardless of its figures; null if it can. */
  #claimNameOrFindRefusalText(creation: LeaderboardCreation, publication: Publication): string | null {
    const { name, workspace } = publication;
    const refusal = findEntryRefusalText(creation, this.#ranking.total, publication);
    if (refusal !== null) return refusal;
    const taken = this.claimName(name, workspace);
    return taken.ok ? null : taken.problem.detail;
  }

  #listSuspicions(publication: Publication): Finding[] {
    const { scored } = publication;
    const sketch = [...new Set(scored.sketch)];
    const original = this.#store.findSuspectedOriginal(sketch, publication, computeCopyThresholds(sketch.length));
    if (original === null) return [...scored.findings];
    const { name } = this.#store.getEntryOrThrow(original.id);
    return [...scored.findings, makeCopyFinding({ ...original, name }, sketch.length)];
  }

  async #publishEntry(creation: LeaderboardCreation, publication: Publication): Promise<Entry> {
    const { workspace, name, scored, approved, at } = publication;
    const of = makeEntryOfPublication(creation, publication);
    const record = makeRecordContent(creation, of, scored, this.#store.findLastLogLine()?.hash ?? emptyLogHash);
    const { SIGNING_KEY } = settingsSchema.parse(this.env);
    const vouched = await signRecord(record, await makeSigningKeyFromSeed(SIGNING_KEY));
    const reason = approved === null ? '' : moderatorReasonText(approved);
    const line = { at, kind: 'published', entry: of.id, name, record: await hashRecord(record), reason } as const;
    await this.#changes.commitWithLogLine(line, () => {
      this.#store.addEntry(of, workspace, normalizeName(name), vouched);
      this.#store.storeUnitValues(of.id, scored.values);
      this.#store.storeSketch(of.id, scored.sketch);
      this.#addEntryToRanking(of);
    });
    return of;
  }

  async #changeEntryState(verb: EntryVerb, id: string, reason: string, at: string): Promise<Result<null>> {
    const { to, kind } = entryMoves[verb];
    const moved = await this.#writing.run(async (): Promise<Result<null>> => {
      const standing = this.#store.findEntryStanding(id);
      if (standing === null) return refuse('not-found', `there is no entry ${id}`);
      const decided = mapErr(decideEntryMoveOrRefuse(verb, standing), makeLeaderboardRefusalProblem);
      if (!decided.ok) return decided;
      if (decided.value === 'done') return ok(null);
      const of = this.#store.getEntryOrThrow(id);
      await this.#changes.commitWithLogLine({ at, kind, entry: id, name: of.name, record: null, reason }, () => {
        this.#store.setEntryStanding(id, to, at, reason);
        if (to === 'published') this.#addEntryToRanking(of);
        else if (standing.state === 'published')
          this.#applyAndQueueChange(rankingChangeByRemoving(this.#ranking, id, makeTieTestFactory(this.#store)));
        if (to === 'withdrawn') this.#store.deleteUnitValuesOfEntry(id);
      });
      return ok(null);
    });
    this.ctx.waitUntil(this.#counts.report());
    await this.#findOrMakeOutbox()?.deliverUnlessFailing();
    return moved;
  }

  #addEntryToRanking(of: Entry): void {
    const put = { id: of.id, keys: sortKeysOfEntryByMetric(of), json: this.#store.getEntryJsonOrThrow(of.id) };
    this.#applyAndQueueChange(rankingChangeByAdding(this.#ranking, of.tier, put, makeTieTestFactory(this.#store)));
  }

  #applyAndQueueChange(change: RankingChange): void {
    if (this.#ranking.applyChangeOrReturnGap(change) === 'gap')
      throw new Error(`the ranking cannot continue with change ${change.seq}`);
    this.#findOrMakeOutbox()?.add(change);
  }

  /** Refuses an entry that is not, or no longer, on the leaderboard. */
  #refuseUnlessEntryShown(id: string): Result<null> {
    return mapErr(refuseEntryUnlessPublished(id, this.#store.findEntryStanding(id)), makeLeaderboardRefusalProblem);
  }
}

const noBoard = refuse('not-found', 'there is no such leaderboard');
