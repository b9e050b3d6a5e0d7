import { DurableObject } from 'cloudflare:workers';
import { Admission } from '#adapters/network/admission.ts';
import { rankingElsewhere } from '#adapters/ranking/ranking-of.ts';
import { settingsSchema } from '#adapters/settings.ts';
import { refuse } from '#core/errors.ts';
import { err, mapErr, ok, type Result } from '#core/result.ts';
import { entering, leaving, ranked, type Ties } from '#core/leaderboards/change.ts';
import { entryMoves, moveOf, shownEntry, type EntryVerb } from '#core/leaderboards/entry-state.ts';
import { thinned } from '#core/leaderboards/front.ts';
import { emptyLog, nextLine, openedHash, recordHash } from '#core/leaderboards/log.ts';
import { leaderboardProblem } from '#core/leaderboards/problems.ts';
import { unitMetric, type RankingMetric } from '#core/leaderboards/metrics.ts';
import { cannotTellApart, pairedDifference, type UnitValues } from '#core/leaderboards/paired-interval.ts';
import { freePlaces, mayBeScored, mostOfFront, mostOfName, refusalOf, scoredOfOne } from '#core/leaderboards/policy.ts';
import { entryOf, isSameLeaderboard, leaderboardRecordOf, recordContentOf } from '#core/leaderboards/present.ts';
import type { Ranked, RankedPlace, RankingChange, RankingPage } from '#core/leaderboards/ranking.ts';
import {
  entry,
  leaderboardBirth,
  type BoardSubmission,
  type Entry,
  type LeaderboardBirth,
  type LeaderboardRecord,
  type LogLine,
  type PairedPlace,
  type SignedRecord,
} from '#core/leaderboards/record.ts';
import { sortKeys } from '#core/leaderboards/score-of.ts';
import type { Publication } from '#core/leaderboards/scored.ts';
import { signed, signingKey } from '#core/leaderboards/signature.ts';
import { copyFinding, leastShared } from '#core/leaderboards/suspicions.ts';
import type { Finding } from '#core/submissions/findings.ts';
import { nameKey } from '#core/submissions/record.ts';
import { decided, type SubmissionState } from '#core/submissions/state.ts';
import { Facts } from '#durable-objects/shared/facts.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { OneAtATime } from '#durable-objects/shared/one-at-a-time.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { Submission } from '#durable-objects/submission/submission.ts';
import { EmbeddedRanking } from './embedded-ranking.ts';
import { LeaderboardStore } from './leaderboard-store.ts';
import { RankingOutbox } from './ranking-outbox.ts';
import { leaderboardSchema } from './schema.ts';

/** What came of a publication. */
export type Published =
  | { readonly kind: 'published'; readonly entry: Entry }
  | { readonly kind: 'suspicious'; readonly findings: Finding[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** A line of the log as whoever causes it knows it. */
type NewLine = Omit<LogLine, 'n' | 'hash'>;

interface Env {
  readonly SUBMISSION: DurableObjectNamespace<Submission>;
}

/** Entries that are read at once where all are. */
const batch = 100;

/**
 * One leaderboard: its entries with their signed records, the log that links them, and the ranking. What belongs together is one
 * transaction. Hashes and signatures take a while, so whatever writes the log waits for its turn.
 */
export class Leaderboard extends DurableObject<Env> {
  readonly #storage: DurableObjectStorage;
  readonly #facts: Facts;
  readonly #store: LeaderboardStore;
  readonly #ranking: EmbeddedRanking;
  readonly #writing = new OneAtATime();
  #opened: LeaderboardBirth | null = null;
  #elsewhere: RankingOutbox | null = null;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    migrate(state.storage, leaderboardSchema);
    this.#storage = state.storage;
    this.#facts = new Facts(state.storage.sql);
    this.#store = new LeaderboardStore(state.storage.sql);
    this.#ranking = new EmbeddedRanking(state.storage.sql);
    // As an earlier version left it. Where rankings are read elsewhere, that one is told by the alarm.
    if (this.#ranking.isBlank && this.#store.published('', 1).length > 0) {
      this.#rebuild();
      void this.#storage.setAlarm(Date.now());
    }
  }

  /** Opens the leaderboard; again, it changes nothing. */
  open(birth: LeaderboardBirth): Promise<Result<LeaderboardRecord>> {
    return this.#writing.run(async () => {
      const known = this.#birth();
      if (known !== null && !isSameLeaderboard(known, birth))
        return err(leaderboardProblem({ reason: 'leaderboard-exists', ...known }));
      if (known === null) {
        const record = await openedHash(leaderboardRecordOf(birth, 0));
        const line = { at: birth.at, kind: 'opened', entry: null, name: birth.name, record, reason: '' } as const;
        await this.#write(line, () => this.#facts.write('birth', birth));
      }
      return this.get();
    });
  }

  get(): Result<LeaderboardRecord> {
    const birth = this.#birth();
    return birth === null ? noBoard : ok(leaderboardRecordOf(birth, this.#ranking.total));
  }

  birth(): Result<LeaderboardBirth> {
    const birth = this.#birth();
    return birth === null ? noBoard : ok(birth);
  }

  /** Gives a name to a workspace, whose it is from then on; again, it changes nothing. */
  claimName(name: string, workspace: string): Result<null> {
    if (this.#birth() === null) return noBoard;
    const holder = this.#store.takeName(nameKey(name), workspace, name);
    return holder === workspace
      ? ok(null)
      : refuse('name-taken', `"${name}" is the name of another submitter on this leaderboard`);
  }

  /**
   * Publishes a submission, unless it is suspicious or cannot have a place here. Again, it gives the entry that is there: entry, signed
   * record, line of the log and ranking are written together or not at all.
   */
  async publish(publication: Publication): Promise<Published> {
    const published = await this.#writing.run(async (): Promise<Published> => {
      const known = this.#store.standing(publication.submission);
      if (known?.state === 'withdrawn') return { kind: 'refused', reason: 'the submission was withdrawn' };
      if (known !== null) return { kind: 'published', entry: this.#store.mustHaveEntry(publication.submission) };
      const birth = this.#birth();
      const reason = birth === null ? 'there is no such leaderboard' : this.#refusal(birth, publication);
      if (birth === null || reason !== null) return { kind: 'refused', reason: reason ?? '' };
      const findings = publication.approved === null ? this.#suspicions(publication) : [];
      if (findings.length > 0) return { kind: 'suspicious', findings };
      return { kind: 'published', entry: await this.#enter(birth, publication) };
    });
    await this.#outbox()?.bring();
    return published;
  }

  /** Takes a published entry off the ranking. */
  hide(id: string, reason: string, at: string): Promise<Result<null>> {
    return this.#move('hide', id, reason, at);
  }

  /** Puts a hidden entry back. */
  show(id: string, reason: string, at: string): Promise<Result<null>> {
    return this.#move('show', id, reason, at);
  }

  /** Takes an entry off for good. */
  withdraw(id: string, reason: string, at: string): Promise<Result<null>> {
    return this.#move('withdraw', id, reason, at);
  }

  getEntry(id: string): Result<Entry> {
    const shown = this.#shown(id);
    return shown.ok ? ok(this.#store.mustHaveEntry(id)) : shown;
  }

  getRecord(id: string): Result<SignedRecord> {
    const shown = this.#shown(id);
    return shown.ok ? ok(this.#store.mustHaveRecord(id)) : shown;
  }

  /** Two published entries compared unit by unit; without figures where the metric has no values by unit. */
  paired(metric: RankingMetric, id: string, other: string): PairedPlace | null {
    if (!this.#shown(id).ok || !this.#shown(other).ok) return null;
    const { name } = this.#store.mustHaveEntry(other);
    const { data } = unitMetric.safeParse(metric);
    if (data === undefined) return { with: other, name, difference: null, low: null, high: null, units: 0 };
    const [ours, theirs] = [this.#store.values(id, data), this.#store.values(other, data)];
    return { with: other, name, ...pairedDifference(ours, theirs) };
  }

  /** The published entries of a name by its submitter, the newest first and at most 50. */
  entriesLike(name: string, workspace: string): Entry[] {
    return this.#store.publishedLike(nameKey(name), workspace, mostOfName);
  }

  /** Who submitted a published entry, and under which name. */
  ownerOf(id: string): Result<{ workspace: string; name: string }> {
    const shown = this.#shown(id);
    return shown.ok ? ok(this.#store.mustHaveOwner(id)) : shown;
  }

  /** Whether the leaderboard is the workspace's, and the submission one to it. */
  moderates(workspace: string, submission: string): boolean {
    const birth = this.birth();
    return birth.ok && birth.value.workspace === workspace && this.#store.hasSubmission(submission);
  }

  /** Published entries by id, after `after`, at most `limit`. */
  listEntries(after: string, limit: number): Entry[] {
    return this.#store.published(after, limit);
  }

  /** The entries on the Pareto front of cost and `execution`, by cost; of a longer one 200, its ends among them. */
  front(): Entry[] {
    return this.#ranking.jsons(thinned(this.#ranking.front, mostOfFront)).map((json) => entry.parse(JSON.parse(json)));
  }

  /** Lines after number `after`, at most `limit`. */
  logLines(after: number, limit: number): LogLine[] {
    return this.#store.lines(after, limit);
  }

  /** Puts a submission on the moderators' list, or tells them how it stands now; where a place is free, the next ones have their turn. */
  noteSubmission(submission: BoardSubmission & { readonly workspace: string }): void {
    this.#store.writeSubmission(submission);
    if (submission.state === 'queued' || submission.state === 'validating' || submission.state === 'scoring') return;
    const free = freePlaces(this.#store.beingScored('').all);
    const next = this.#store.waitingLongest(free, scoredOfOne);
    // Their places are theirs from now on: nobody is called twice.
    for (const id of next) this.#store.admit(id);
    this.ctx.waitUntil(Promise.all(next.map((id) => this.#callOn(id))));
  }

  /** Tells a submission that its turn has come. One that does not hear of it is found by the sweep. */
  async #callOn(id: string): Promise<void> {
    try {
      await this.#submission(id).goOn();
    } catch (error) {
      console.error(JSON.stringify({ submission: id, notCalledOn: String(error) }));
    }
  }

  /** Whether a submission may be scored now. One that may keeps its place until it is settled. */
  admit(id: string): boolean {
    if (!mayBeScored(this.#store.beingScored(id))) return false;
    this.#store.admit(id);
    return true;
  }

  #submission(id: string): RpcOf<Submission, 'goOn'> {
    return this.env.SUBMISSION.getByName(id);
  }

  /** Submissions by id, for the moderators that its workspace has; those of one state, or all. */
  listSubmissions(
    workspace: string,
    state: SubmissionState | null,
    after: string,
    limit: number,
  ): Result<BoardSubmission[]> {
    const birth = this.#birth();
    return birth?.workspace === workspace
      ? ok(this.#store.submissions(state, after, limit))
      : refuse('not-found', 'the workspace has no such leaderboard');
  }

  page(metric: RankingMetric, from: number, limit: number): Ranked<RankingPage> {
    return { ok: true, value: this.#ranking.page(metric, from, limit) };
  }

  place(metric: RankingMetric, id: string): Ranked<RankedPlace | null> {
    return { ok: true, value: this.#ranking.place(metric, id) };
  }

  seq(): Ranked<number> {
    return { ok: true, value: this.#ranking.seq };
  }

  /** Brings the ranking to the deployment's database, where that does not have it as it is here. */
  async wake(): Promise<void> {
    await this.#outbox()?.bringAndCheck();
  }

  /** Another try, after one that failed. */
  override alarm(): Promise<void> {
    return this.wake();
  }

  /** Rows of the ranking that were read and written since this object was started. */
  rankingRows(): { read: number; written: number } {
    return { read: this.#ranking.rowsRead, written: this.#ranking.rowsWritten };
  }

  /** Makes the ranking anew from the published entries and their values, as the next change of it. */
  async rebuildRanking(): Promise<void> {
    this.#rebuild();
    await this.wake();
  }

  #rebuild(): void {
    this.#transaction(() => {
      const keyed = Array.from(this.#published(), (each) => ({ id: each.id, keys: sortKeys(each) }));
      const whole = { seq: this.#ranking.seq + 1, ...ranked(keyed, this.#ties()) };
      const entries = keyed.values().map(({ id }) => ({ id, json: this.#store.mustHaveJson(id) }));
      this.#ranking.rebuild(whole, entries);
    });
  }

  /** Null where the deployment has no database, and before there is a leaderboard. */
  #outbox(): RankingOutbox | null {
    const birth = this.#birth();
    if (birth === null || this.#elsewhere !== null) return this.#elsewhere;
    const store = rankingElsewhere(settingsSchema.parse(this.env), birth.id, new Admission());
    if (store !== null) this.#elsewhere = new RankingOutbox(this.#storage, this.#ranking, store);
    return this.#elsewhere;
  }

  #birth(): LeaderboardBirth | null {
    this.#opened ??= this.#facts.read('birth', leaderboardBirth);
    return this.#opened;
  }

  /** Why a submission cannot have a place here, however good it is; null where it can. */
  #refusal(birth: LeaderboardBirth, { name, workspace, scored }: Publication): string | null {
    const refusal = refusalOf(birth, this.#ranking.total, scored.values);
    if (refusal !== null) return refusal;
    const taken = this.claimName(name, workspace);
    return taken.ok ? null : taken.problem.detail;
  }

  #suspicions({ workspace, scored }: Publication): Finding[] {
    const sketch = [...new Set(scored.sketch)];
    const original = this.#store.mostShared(sketch, workspace, leastShared(sketch.length));
    if (original === null) return [...scored.findings];
    const { name } = this.#store.mustHaveEntry(original.id);
    return [...scored.findings, copyFinding({ ...original, name }, sketch.length)];
  }

  async #enter(birth: LeaderboardBirth, publication: Publication): Promise<Entry> {
    const { workspace, name, scored, approved, at } = publication;
    const of = entryOf(birth, publication);
    const record = recordContentOf(birth, of, scored, this.#store.lastLine()?.hash ?? emptyLog);
    const { SIGNING_KEY } = settingsSchema.parse(this.env);
    const vouched = await signed(record, await signingKey(SIGNING_KEY));
    const reason = approved === null ? '' : decided(approved);
    const line = { at, kind: 'published', entry: of.id, name, record: await recordHash(record), reason } as const;
    await this.#write(line, () => {
      this.#store.addEntry(of, workspace, nameKey(name), vouched);
      this.#store.writeValues(of.id, scored.values);
      this.#store.writeSketch(of.id, scored.sketch);
      this.#put(of);
    });
    return of;
  }

  async #move(verb: EntryVerb, id: string, reason: string, at: string): Promise<Result<null>> {
    const { to, kind } = entryMoves[verb];
    const moved = await this.#writing.run(async (): Promise<Result<null>> => {
      const standing = this.#store.standing(id);
      if (standing === null) return refuse('not-found', `there is no entry ${id}`);
      const decided = mapErr(moveOf(verb, standing), leaderboardProblem);
      if (!decided.ok) return decided;
      if (decided.value === 'done') return ok(null);
      const of = this.#store.mustHaveEntry(id);
      await this.#write({ at, kind, entry: id, name: of.name, record: null, reason }, () => {
        this.#store.setStanding(id, to, at, reason);
        if (to === 'published') this.#put(of);
        else if (standing.state === 'published') this.#change(leaving(this.#ranking, id, this.#ties()));
        if (to === 'withdrawn') this.#store.removeValues(id);
      });
      return ok(null);
    });
    await this.#outbox()?.bring();
    return moved;
  }

  #put(of: Entry): void {
    const put = { id: of.id, keys: sortKeys(of), json: this.#store.mustHaveJson(of.id) };
    this.#change(entering(this.#ranking, put, this.#ties()));
  }

  #change(change: RankingChange): void {
    if (this.#ranking.apply(change) === 'gap') throw new Error(`the ranking does not go on with ${change.seq}`);
    this.#outbox()?.add(change);
  }

  /** Adds a line to the log together with what it tells of. In turn: nothing else may write the log meanwhile. */
  async #write(line: NewLine, change: () => void): Promise<void> {
    const last = this.#store.lastLine();
    const next = await nextLine(last?.hash ?? emptyLog, { n: (last?.n ?? 0) + 1, ...line });
    this.#transaction(() => {
      if (this.#store.lastLine()?.hash !== last?.hash) throw new Error('the log was written out of turn');
      this.#store.addLine(next);
      change();
    });
  }

  #transaction(change: () => void): void {
    // Makes its tables, which would go again with a transaction that fails.
    this.#outbox();
    try {
      this.#storage.transactionSync(change);
    } catch (error) {
      this.#ranking.forget();
      throw error;
    }
  }

  /** Ties by the values of units. Those of the leader are kept: all others are held against it, and of them there may be very many. */
  #ties(): Ties {
    return (metric) => {
      const { data } = unitMetric.safeParse(metric);
      if (data === undefined) return () => false;
      let last: { readonly id: string; readonly values: UnitValues } | null = null;
      return (leader, other) => {
        if (last?.id !== leader) last = { id: leader, values: this.#store.values(leader, data) };
        return cannotTellApart(last.values, this.#store.values(other, data));
      };
    };
  }

  /** Refuses an entry that is not, or no longer, on the leaderboard. */
  #shown(id: string): Result<null> {
    return mapErr(shownEntry(id, this.#store.standing(id)), leaderboardProblem);
  }

  *#published(): Generator<Entry> {
    for (let after = ''; ;) {
      const entries = this.#store.published(after, batch);
      yield* entries;
      const last = entries.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }
}

const noBoard = refuse('not-found', 'there is no such leaderboard');
