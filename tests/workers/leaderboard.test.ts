import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import type { Result } from '#core/values/result.ts';
import { findFirstBrokenLogLine, hashLeaderboardWithoutEntryCounts, hashRecord } from '#core/leaderboards/log-lines.ts';
import { buildByMetric, rankingOrdersOfProtocol } from '#core/leaderboards/metrics.ts';
import type { RankingPage } from '#core/leaderboards/ranking.ts';
import { entry } from '#core/leaderboards/record.ts';
import { hasValidSignature } from '#core/leaderboards/signature.ts';
import { makeRandom } from '#core/values/random.ts';
import { maxEntries } from '#core/leaderboards/limits.ts';
import { EmbeddedRanking } from '#durable-objects/leaderboard/embedded-ranking.ts';
import { entryWith } from '../support/entries.ts';
import { creationOf, publicationOf, scoredWith } from '../support/leaderboard.ts';
import { value } from '../support/ranking-contract.ts';
import { unique } from '../support/workspace.ts';

const later = '2026-05-02T12:00:00.000Z';
const units = 20;

const must = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw new Error(`${result.problem.code}: ${result.problem.detail}`);
};

const opened = async () => {
  const board = env.LEADERBOARD.getByName(unique('lb'));
  must(await board.open(creationOf(unique('lb'), units)));
  return board;
};
type Board = Awaited<ReturnType<typeof opened>>;

const noFronts = { service: [], gateway: [], 'self-reported': [] };

/** Values that are this far from 0 in every unit, with the same small noise for all. */
const around = (middle: number) => Array.from({ length: units }, (_, unit) => middle + ((unit * 7) % 5) / 100);

const ranks = ({ rows }: RankingPage) =>
  rows.map(({ rank, json }) => [entry.parse(JSON.parse(json)).id.replace(/.*_/, ''), rank]);

/** All pages by all metrics. */
const pages = (board: Board) =>
  Promise.all(
    rankingOrdersOfProtocol('sgvef').metrics.map(async (metric) => {
      const { seq: _, ...page } = value(await board.page('service', metric, 0, 1_000));
      return page;
    }),
  );

const otherMetrics = `UPDATE ranking SET json = json_set(json, '$.metrics', json('["tcs","mtc"]')) WHERE key = 'standing'`;

/** Starts the object again with a ranking of an earlier version, so that it rebuilds it from the entries. */
const rebuilt = async (board: Board) => {
  await runInDurableObject(board, (_object, { storage: { sql } }) => {
    sql.exec(otherMetrics);
  });
  await evictDurableObject(board);
};

const published = async (board: Board, id: string, middle: number) => {
  const result = await board.publishUnlessSuspicious(publicationOf(id, scoredWith(around(middle))));
  if (result.kind !== 'published') throw new Error(JSON.stringify(result));
  return result.entry;
};

describe('a leaderboard', () => {
  test('is opened once, and nobody else can open it differently', async () => {
    const id = unique('lb');
    const board = env.LEADERBOARD.getByName(id);
    expect(await board.get()).toMatchObject({ ok: false, problem: { code: 'not-found' } });
    expect(await board.publishUnlessSuspicious(publicationOf('sub_a', scoredWith([])))).toMatchObject({
      kind: 'refused',
    });
    const creation = creationOf(id, units);
    const both = await Promise.all([board.open(creation), board.open({ ...creation, at: later })]);
    expect(both.map(must)).toEqual([must(await board.get()), must(await board.get())]);
    expect(must(await board.get())).toMatchObject({ id, entries: { service: 0 }, trials: 4, createdAt: creation.at });
    for (const other of [{ name: 'Another' }, { trials: 5 }, { workspace: 'another' }])
      expect(await board.open({ ...creation, ...other })).toMatchObject({
        ok: false,
        problem: { code: 'leaderboard-exists', detail: expect.stringContaining(id) },
      });
    const { entries: _, ...what } = must(await board.get());
    expect(await board.logLines(0, 10)).toMatchObject([
      { n: 1, kind: 'opened', entry: null, record: await sha256Hex(canonicalJson(what)) },
    ]);
    expect(await hashLeaderboardWithoutEntryCounts(must(await board.get()))).toBe(await sha256Hex(canonicalJson(what)));
  });

  test('ranks by pass^4 only with at least four trials', async () => {
    const board = env.LEADERBOARD.getByName(unique('lb'));
    const { metrics } = must(await board.open({ ...creationOf(unique('lb'), units), trials: 3 }));
    expect(metrics).not.toContain('pass-hat-4');
    expect(must(await (await opened()).get()).metrics).toContain('pass-hat-4');
  });

  test('publishes a submission once, with a verifiable record and a log line', async () => {
    const board = await opened();
    const publication = publicationOf('sub_a', scoredWith(around(0.5), { costUsd: 2 }));
    const [first, again] = await Promise.all([
      board.publishUnlessSuspicious(publication),
      board.publishUnlessSuspicious(publication),
    ]);
    expect(again).toEqual(first);
    expect(await board.publishUnlessSuspicious({ ...publication, at: later })).toEqual(first);
    const of = must(await board.getShownEntry('sub_a'));
    expect(first).toEqual({ kind: 'published', entry: of });
    const vouched = must(await board.getShownSignedRecord('sub_a'));
    expect(vouched.record.entry).toEqual(of);
    expect(await hasValidSignature(vouched)).toBe(true);
    expect(
      await hasValidSignature({ ...vouched, record: { ...vouched.record, entry: { ...of, name: 'other' } } }),
    ).toBe(false);
    const lines = await board.logLines(0, 10);
    expect(lines).toMatchObject([
      { n: 1, kind: 'opened' },
      { n: 2, kind: 'published', entry: 'sub_a', record: await hashRecord(vouched.record) },
    ]);
    expect(vouched.record.logBefore).toBe(lines[0]?.hash);
    expect(value(await board.seq())).toBe(1);
    expect(value(await board.page('service', 'success', 0, 10)).total).toBe(1);
    expect(await board.listThinnedFront('service')).toEqual([of]);
    expect(await board.listPublishedWithPlaces('', 10)).toEqual([
      { position: 1, rank: 1, ranked: true, onFront: true, entry: of },
    ]);
    expect(must(await board.getShownEntryOwner('sub_a'))).toEqual({ workspace: 'submitter', name: of.name });
    expect(await board.getShownEntryOwner('sub_b')).toMatchObject({ ok: false, problem: { code: 'not-found' } });
  });

  test('refuses values that do not match the public units', async () => {
    const board = await opened();
    const result = await board.publishUnlessSuspicious(publicationOf('sub_a', scoredWith([1, 1])));
    expect(result).toMatchObject({ kind: 'refused', reason: expect.stringContaining('20 public units') });
    expect(await board.logLines(1, 10)).toEqual([]);
  });

  test('has room for 20,000 entries and no more', async () => {
    const board = await opened();
    const places = Array.from({ length: maxEntries }, (_, n) => ({
      id: `sub_${String(n).padStart(19, '0')}`,
      tier: 'service' as const,
      keys: buildByMetric(rankingOrdersOfProtocol('sgvef').metrics, () => -1 / (n + 3)),
      behind: false,
      leads: buildByMetric(rankingOrdersOfProtocol('sgvef').metrics, () => true),
    }));
    await runInDurableObject(board, (_object, { storage }) => {
      const whole = { seq: 1, places, fronts: { ...noFronts, service: places.map(({ id }) => id) } };
      const entries = places.map(({ id }) => ({ id, json: '{}' }));
      storage.transactionSync(() =>
        new EmbeddedRanking(storage.sql, () => rankingOrdersOfProtocol('sgvef')).replaceRanking(whole, entries),
      );
    });
    await evictDurableObject(board);
    const result = await board.publishUnlessSuspicious(publicationOf('sub_a', scoredWith(around(0.5))));
    expect(result).toMatchObject({ kind: 'refused', reason: expect.stringContaining('20000') });
    expect(value(await board.page('service', 'success', 19_990, 20)).rows).toHaveLength(10);
  });

  test('loses and duplicates none of many simultaneous entries, and ranks them like a recount', async () => {
    const board = await opened();
    const random = makeRandom('many at once');
    const ids = Array.from({ length: 40 }, (_, n) => `sub_${String(n).padStart(2, '0')}`);
    const noisy = () => {
      const skill = random.next();
      return Array.from({ length: units }, () => (random.below(100) === 0 ? null : skill + (random.next() - 0.5) / 2));
    };
    const all = ids.map((id) => publicationOf(id, scoredWith(noisy(), { costUsd: random.below(30) })));
    await Promise.all([...all, ...all.slice(0, 10)].map((publication) => board.publishUnlessSuspicious(publication)));
    await Promise.all(ids.slice(0, 8).map((id) => board.hideEntry(id, 'looked odd', later)));
    await Promise.all(ids.slice(4, 12).map((id) => board.withdrawEntry(id, 'a mistake', later)));
    await Promise.all(ids.slice(0, 2).map((id) => board.showEntry(id, 'is fine', later)));
    expect(value(await board.seq())).toBe(40 + 8 + 4 + 2);
    const lines = await board.logLines(0, 1_000);
    expect(lines).toHaveLength(1 + 40 + 8 + 8 + 2);
    expect(await findFirstBrokenLogLine(lines)).toBeNull();
    const before = await pages(board);
    const present = ids.filter((_, n) => n < 2 || n >= 12);
    expect(before.map(({ total }) => total)).toEqual(
      rankingOrdersOfProtocol('sgvef').metrics.map(() => present.length),
    );
    expect((await board.listPublishedWithPlaces('', 1_000)).map((each) => each.entry.id)).toEqual(present);
    expect(new Set(before[0]?.rows.map(({ rank }) => rank)).size).toBeGreaterThan(2);
    await rebuilt(board);
    expect(await pages(board)).toEqual(before);
  });

  test.each([
    [
      'in other tables',
      [
        'DROP TABLE schema_version',
        'DROP TABLE ranking_places',
        "UPDATE ranking SET json = json_remove(json, '$.metrics') WHERE key = 'standing'",
        'CREATE TABLE ranking_orders (metric TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID',
        `INSERT INTO ranking_orders VALUES ('success', '[["sub_c",-0.7,1],["sub_a",-0.5,1]]')`,
      ],
    ],
    ['by other metrics', [otherMetrics]],
  ])('rebuilds the ranking from the entries if an earlier version stored %s', async (_where, statements) => {
    const board = await opened();
    for (const [n, id] of ['sub_a', 'sub_b', 'sub_c'].entries()) await published(board, id, 0.5 + n / 10);
    await board.hideEntry('sub_b', 'looked odd', later);
    const before = await pages(board);
    const front = await board.listThinnedFront('service');
    await runInDurableObject(board, (_object, { storage: { sql } }) => {
      for (const statement of statements) sql.exec(statement);
    });
    await evictDurableObject(board);
    expect(await pages(board)).toEqual(before);
    expect(await board.listThinnedFront('service')).toEqual(front);
    // A client with a copy of it sees that it has changed.
    expect(value(await board.seq())).toBe(5);
    await evictDurableObject(board);
    expect(value(await board.seq())).toBe(5);
    await published(board, 'sub_d', 0.9);
    expect(value(await board.page('service', 'success', 0, 1)).total).toBe(3);
  });

  test('keeps nothing of a failed change, even in memory', async () => {
    const board = await opened();
    for (const [n, id] of ['sub_a', 'sub_b'].entries()) await published(board, id, 0.5 + n / 10);
    const before = await pages(board);
    const front = await board.listThinnedFront('service');
    const lines = await board.logLines(0, 10);
    const failing = (statement: string) =>
      runInDurableObject(board, (_object, { storage: { sql } }) => {
        sql.exec(statement);
      });
    // The standing is the last that a change writes.
    await failing(`CREATE TRIGGER full BEFORE INSERT ON ranking BEGIN SELECT RAISE(ABORT, 'no room'); END`);
    await runInDurableObject(board, async (object) => {
      const publication = publicationOf('sub_c', scoredWith(around(0.9)));
      await expect(object.publishUnlessSuspicious(publication)).rejects.toThrow('no room');
      await expect(object.withdrawEntry('sub_a', 'a mistake', later)).rejects.toThrow('no room');
    });
    expect(await pages(board)).toEqual(before);
    expect(await board.listThinnedFront('service')).toEqual(front);
    expect(await board.logLines(0, 10)).toEqual(lines);
    expect(value(await board.place('success', 'sub_c'))).toBeNull();
    await failing('DROP TRIGGER full');
    await published(board, 'sub_c', 0.9);
    const after = await pages(board);
    expect(after[0]?.total).toBe(3);
    await rebuilt(board);
    expect(await pages(board)).toEqual(after);
  });

  test('gives entries that tie with a leader its rank, with the reason', async () => {
    const board = await opened();
    // The second differs by nothing but noise from the first, the third in every unit.
    await published(board, 'sub_first', 0.8);
    const noise = around(0.79).map((each, unit) => each + (unit % 2 === 0 ? 0.2 : -0.2));
    await board.publishUnlessSuspicious(publicationOf('sub_second', scoredWith(noise)));
    await published(board, 'sub_third', 0.5);
    expect(ranks(value(await board.page('service', 'success', 0, 10)))).toEqual([
      ['first', 1],
      ['second', 1],
      ['third', 3],
    ]);
    expect(value(await board.place('success', 'sub_third'))).toMatchObject({
      position: 3,
      rank: 3,
      total: 3,
      leader: 'sub_third',
      above: 'sub_first',
    });
    const against = await board.compareEntries('success', 'sub_third', 'sub_first');
    expect(against).toMatchObject({ with: 'sub_first', name: 'agent sub_first', units });
    expect(against?.difference).toBeCloseTo(-0.3, 6);
    expect(against?.high).toBeLessThan(0);
    const close = await board.compareEntries('success', 'sub_second', 'sub_first');
    expect(close?.low).toBeLessThan(0);
    expect(close?.high).toBeGreaterThan(0);
    expect(await board.compareEntries('cost', 'sub_second', 'sub_first')).toEqual({
      with: 'sub_first',
      name: 'agent sub_first',
      difference: null,
      low: null,
      high: null,
      units: 0,
    });
    expect(await board.compareEntries('success', 'sub_second', 'sub_none')).toBeNull();
    await board.hideEntry('sub_first', 'looked odd', later);
    expect(ranks(value(await board.page('service', 'success', 0, 10)))).toEqual([
      ['second', 1],
      ['third', 2],
    ]);
  });

  test('can hide and show an entry, and withdraw it permanently', async () => {
    const board = await opened();
    await published(board, 'sub_a', 0.5);
    await published(board, 'sub_b', 0.7);
    const all = await pages(board);
    for (let time = 0; time < 2; time += 1) must(await board.hideEntry('sub_a', 'looked odd', later));
    const gone = { ok: false, problem: { code: 'entry-gone', detail: expect.stringContaining('looked odd') } };
    expect(await board.getShownEntry('sub_a')).toMatchObject(gone);
    expect(await board.getShownEntryOwner('sub_a')).toMatchObject(gone);
    expect(await board.getShownSignedRecord('sub_a')).toMatchObject(gone);
    expect(await board.compareEntries('success', 'sub_b', 'sub_a')).toBeNull();
    expect(value(await board.place('success', 'sub_a'))).toBeNull();
    expect(must(await board.get()).entries.service).toBe(1);
    expect(await board.publishUnlessSuspicious(publicationOf('sub_a', scoredWith(around(0.5))))).toMatchObject({
      kind: 'published',
    });
    expect(must(await board.get()).entries.service).toBe(1);
    for (let time = 0; time < 2; time += 1) must(await board.showEntry('sub_a', 'is fine', later));
    expect(await pages(board)).toEqual(all);
    for (let time = 0; time < 2; time += 1) must(await board.withdrawEntry('sub_a', 'a mistake', later));
    expect(await board.showEntry('sub_a', 'again', later)).toMatchObject({
      ok: false,
      problem: { code: 'wrong-state' },
    });
    expect(await board.publishUnlessSuspicious(publicationOf('sub_a', scoredWith(around(0.5))))).toMatchObject({
      kind: 'refused',
    });
    expect(await board.hideEntry('sub_c', 'there is none', later)).toMatchObject({
      ok: false,
      problem: { code: 'not-found' },
    });
    expect(await board.getShownEntry('sub_c')).toMatchObject({ ok: false, problem: { code: 'not-found' } });
    expect((await board.logLines(3, 10)).map(({ kind, entry: of, reason }) => [kind, of, reason])).toEqual([
      ['hidden', 'sub_a', 'looked odd'],
      ['shown', 'sub_a', 'is fine'],
      ['withdrawn', 'sub_a', 'a mistake'],
    ]);
  });

  test('reveals in its log every line that was changed, removed or inserted', async () => {
    const board = await opened();
    for (const [n, id] of ['sub_a', 'sub_b', 'sub_c'].entries()) await published(board, id, 0.5 + n / 10);
    await board.withdrawEntry('sub_b', 'a mistake', later);
    const lines = await board.logLines(0, 100);
    expect(await findFirstBrokenLogLine(lines)).toBeNull();
    for (const [at, line] of lines.entries()) {
      const changes = [
        lines.with(at, { ...line, reason: `${line.reason}.` }),
        lines.with(at, { ...line, name: 'another' }),
        lines.with(at, { ...line, record: 'another' }),
        lines.with(at, { ...line, at: '2026-01-01T00:00:00.000Z' }),
        lines.toSpliced(at, 0, line),
        ...(at < lines.length - 1 ? [lines.toSpliced(at, 1)] : []),
      ];
      for (const changed of changes) expect(await findFirstBrokenLogLine(changed)).not.toBeNull();
    }
  });

  test("sends copies of another submitter's attempts to a moderator", async () => {
    const board = await opened();
    const sketch = Array.from({ length: 10 }, (_, n) => `digest ${n}`);
    const others = (n: number) => [...sketch.slice(0, n), ...Array.from({ length: 10 - n }, (_, m) => `other ${m}`)];
    const copy = (id: string, n: number, more = {}) =>
      publicationOf(id, scoredWith(around(0.4), { sketch: others(n) }), { workspace: 'copier', ...more });
    await board.publishUnlessSuspicious(
      publicationOf('sub_a', scoredWith(around(0.5), { sketch }), { name: 'The first' }),
    );
    const suspicious = await board.publishUnlessSuspicious(copy('sub_b', 5));
    expect(suspicious).toMatchObject({ kind: 'suspicious', findings: [{ kind: 'identical-traces' }] });
    expect(JSON.stringify(suspicious)).toMatch(/The first.*sub_a/);
    expect(await board.getShownEntryOwner('sub_b')).toMatchObject({ ok: false, problem: { code: 'not-found' } });
    expect(await board.publishUnlessSuspicious(copy('sub_c', 4))).toMatchObject({ kind: 'published' });
    // Submitting the same agent again is not copying.
    const own = copy('sub_d', 10, { workspace: 'submitter', name: 'The first' });
    expect(await board.publishUnlessSuspicious(own)).toMatchObject({ kind: 'published' });
    // Under another name it is; but a submitter's agents may resemble each other.
    const renamed = await board.publishUnlessSuspicious(copy('sub_f', 10, { workspace: 'submitter', name: 'Another' }));
    expect(renamed).toMatchObject({ kind: 'suspicious', findings: [{ kind: 'identical-traces' }] });
    expect(JSON.stringify(renamed)).toContain('under another name');
    const near = [...sketch.slice(0, 8), 'its own', 'its other'];
    const alike = publicationOf('sub_g', scoredWith(around(0.4), { sketch: near }), { name: 'Another' });
    expect(await board.publishUnlessSuspicious(alike)).toMatchObject({ kind: 'published' });
    await board.withdrawEntry('sub_d', 'a mistake', later);
    const approved = copy('sub_b', 5, { approved: 'the same vendor' });
    expect(await board.publishUnlessSuspicious(approved)).toMatchObject({ kind: 'published' });
    expect((await board.logLines(0, 10)).at(-1)?.reason).toBe('a moderator decided: the same vendor');
    await board.hideEntry('sub_a', 'looked odd', later);
    expect(await board.publishUnlessSuspicious(copy('sub_e', 10))).toMatchObject({ kind: 'suspicious' });
  });

  test('sends copies of removed entries to a moderator', async () => {
    const board = await opened();
    const scoredBy = (n: number) => {
      const sketch = Array.from({ length: 10 }, (_, m) => `digest ${n}.${m}`);
      return scoredWith(around(0.5), { sketch });
    };
    const again = (id: string, n: number, workspace: string) =>
      board.publishUnlessSuspicious(publicationOf(id, scoredBy(n), { workspace, name: workspace }));
    const copied = { kind: 'suspicious', findings: [{ kind: 'identical-traces' }] };
    for (const n of [1, 2, 3, 4])
      await board.publishUnlessSuspicious(publicationOf(`sub_${n}`, scoredBy(n), { name: 'submitter' }));
    await board.withdrawEntry('sub_1', 'a mistake', later);
    await board.hideEntry('sub_2', 'looked odd', later);
    await board.hideEntry('sub_3', 'looked odd', later);
    await board.withdrawEntry('sub_3', 'never mind', later);
    await board.hideEntry('sub_4', 'looked odd', later);
    await board.showEntry('sub_4', 'is fine', later);
    // Somebody else's, withdrawn.
    expect(await again('sub_a', 1, 'copier')).toMatchObject(copied);
    // One's own: what a moderator took off does not come back by itself, and withdrawing it changes nothing of that.
    const hidden = await again('sub_b', 2, 'submitter');
    expect(hidden).toMatchObject(copied);
    expect(JSON.stringify(hidden)).toMatch(/sub_2.*a moderator took off/);
    expect(await again('sub_c', 3, 'submitter')).toMatchObject(copied);
    expect(await again('sub_d', 1, 'submitter')).toMatchObject({ kind: 'published' });
    expect(await again('sub_e', 4, 'submitter')).toMatchObject({ kind: 'published' });
  });

  test('sends suspicious findings to a moderator', async () => {
    const board = await opened();
    const findings = [
      { kind: 'unreturned-results', where: '3 of 4 attempts', message: 'It says what no tool did.' },
    ] as const;
    const publication = publicationOf('sub_a', scoredWith(around(0.5), { findings: [...findings] }));
    expect(await board.publishUnlessSuspicious(publication)).toEqual({ kind: 'suspicious', findings });
    expect(await board.publishUnlessSuspicious({ ...publication, approved: 'it is fine' })).toMatchObject({
      kind: 'published',
    });
  });

  test('reserves a name in any spelling for its first owner', async () => {
    const board = await opened();
    must(await board.claimName('Früh & 早い', 'submitter'));
    must(await board.claimName('ｆrüh  & 早い', 'submitter'));
    const taken = { ok: false, problem: { code: 'name-taken' } };
    expect(await board.claimName('FRÜH\u200b & 早い', 'another')).toMatchObject(taken);
    const publication = publicationOf('sub_a', scoredWith(around(0.5)), { name: 'früh & 早い', workspace: 'another' });
    expect(await board.publishUnlessSuspicious(publication)).toMatchObject({ kind: 'refused' });
    await board.publishUnlessSuspicious({ ...publication, workspace: 'submitter' });
    await board.publishUnlessSuspicious({ ...publication, submission: 'sub_b', workspace: 'submitter' });
    const like = await board.listEntriesOfName('FRÜH & 早い', 'submitter');
    expect(like.map(({ id, name }) => [id, name])).toEqual([
      ['sub_b', 'früh & 早い'],
      ['sub_a', 'früh & 早い'],
    ]);
    expect(await board.listEntriesOfName('FRÜH & 早い', 'another')).toEqual([]);
  });

  test('refuses a name that looks like that of another submitter', async () => {
    const board = await opened();
    must(await board.claimName('gpt-4o', 'submitter'));
    expect(await board.claimName('gpt-4\u043e', 'another')).toMatchObject({
      ok: false,
      problem: {
        code: 'name-taken',
        detail: '"gpt-4\u043e" looks like "gpt-4o", the name of another submitter on this leaderboard',
      },
    });
    must(await board.claimName('gpt-4\u043e', 'submitter'));
    must(await board.claimName('gpt-5', 'another'));
  });

  test('lists the newest entries of a name that has many', async () => {
    const board = await opened();
    const ids = Array.from({ length: 52 }, (_, n) => `sub_${String(n).padStart(2, '0')}`);
    for (const id of ids)
      await board.publishUnlessSuspicious(publicationOf(id, scoredWith(around(0.5)), { name: 'Often' }));
    const like = await board.listEntriesOfName('often', 'submitter');
    expect(like.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 50));
  });

  test('lists 200 entries of a long front, including the cheapest and the best', async () => {
    const board = await opened();
    const ids = Array.from({ length: 250 }, (_, n) => `sub_${String(n).padStart(3, '0')}`);
    await runInDurableObject(board, (_object, { storage }) => {
      const places = ids.map((id, n) => ({
        id,
        tier: 'service' as const,
        keys: buildByMetric(rankingOrdersOfProtocol('sgvef').metrics, () => n),
        behind: false,
        leads: buildByMetric(rankingOrdersOfProtocol('sgvef').metrics, () => true),
      }));
      const entries = ids.map((id) => ({ id, json: JSON.stringify(entryWith({ id })) }));
      const whole = { seq: 1, places, fronts: { ...noFronts, service: ids } };
      storage.transactionSync(() =>
        new EmbeddedRanking(storage.sql, () => rankingOrdersOfProtocol('sgvef')).replaceRanking(whole, entries),
      );
    });
    await evictDurableObject(board);
    const front = (await board.listThinnedFront('service')).map(({ id }) => id);
    expect(front).toHaveLength(200);
    expect([front[0], front.at(-1)]).toEqual(['sub_000', 'sub_249']);
    expect(value(await board.page('service', 'cost', 0, 250)).rows.every(({ onFront }) => onFront)).toBe(true);
  });

  test('lists submissions for its moderators with their states', async () => {
    const board = await opened();
    const noted = { id: 'sub_a', name: 'a', tier: 'gateway', state: 'queued', createdAt: later } as const;
    await board.recordSubmissionState({ ...noted, workspace: 'submitter' });
    await board.recordSubmissionState({ ...noted, id: 'sub_b', workspace: 'submitter' });
    await board.recordSubmissionState({ ...noted, state: 'moderation', workspace: 'submitter' });
    expect(must(await board.listSubmissionsForModerators('main', null, '', 10))).toEqual([
      { ...noted, state: 'moderation' },
      { ...noted, id: 'sub_b' },
    ]);
    expect(must(await board.listSubmissionsForModerators('main', 'queued', '', 10))).toEqual([
      { ...noted, id: 'sub_b' },
    ]);
    expect(must(await board.listSubmissionsForModerators('main', null, 'sub_a', 10))).toEqual([
      { ...noted, id: 'sub_b' },
    ]);
    expect(await board.listSubmissionsForModerators('another', null, '', 10)).toMatchObject({
      ok: false,
      problem: { code: 'not-found' },
    });
  });
});

describe('the turns on a leaderboard', () => {
  const numbered = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => `sub_${String(from + n).padStart(3, '0')}`);

  async function queued(workspace: string, ids: readonly string[], board: Awaited<ReturnType<typeof opened>>) {
    for (const id of ids)
      await board.recordSubmissionState({
        id,
        name: id,
        tier: 'service',
        state: 'queued',
        createdAt: later,
        workspace,
      });
  }

  const admitted = async (ids: readonly string[], board: Awaited<ReturnType<typeof opened>>) => {
    const found: string[] = [];
    for (const id of ids) if (await board.admitIfFree(id)) found.push(id);
    return found;
  };

  const inTurn = async (board: Awaited<ReturnType<typeof opened>>) =>
    must(await board.listSubmissionsForModerators('main', 'validating', '', 100)).map(({ id }) => id);

  test('go to 20 submissions at once, at most 10 of one workspace', async () => {
    const board = await opened();
    const [greedy, second, third] = [numbered(0, 15), numbered(100, 8), numbered(200, 5)];
    await queued('greedy', greedy, board);
    await queued('second', second, board);
    await queued('third', third, board);
    expect(await admitted(greedy, board)).toEqual(greedy.slice(0, 10));
    expect(await admitted(second, board)).toEqual(second);
    expect(await admitted(third, board)).toEqual(third.slice(0, 2));
    expect(await admitted(greedy.slice(0, 1), board)).toEqual(greedy.slice(0, 1));
  });

  test('pass to the longest waiting workspace that has not had more than its share', async () => {
    const board = await opened();
    const [greedy, second] = [numbered(0, 25), numbered(100, 25)];
    await queued('greedy', greedy, board);
    await queued('second', second, board);
    expect(await admitted([...greedy, ...second], board)).toEqual([...greedy.slice(0, 10), ...second.slice(0, 10)]);
    const ended = { name: 'a', tier: 'service', state: 'published', createdAt: later } as const;
    await board.recordSubmissionState({ ...ended, id: 'sub_100', workspace: 'second' });
    expect(await inTurn(board)).toEqual([...greedy.slice(0, 10), ...second.slice(1, 11)]);
    await board.recordSubmissionState({ ...ended, id: 'sub_003', workspace: 'greedy' });
    expect(await inTurn(board)).toEqual([...greedy.slice(0, 3), ...greedy.slice(4, 11), ...second.slice(1, 11)]);
  });
});

describe('the counts of a leaderboard in the list', () => {
  const directory = env.DIRECTORY.getByName('directory');

  /** A leaderboard that is listed, and its counts there. */
  const listedBoard = async () => {
    const id = unique('lb');
    const board = env.LEADERBOARD.getByName(id);
    const { name, benchmark, protocol, createdAt } = must(await board.open(creationOf(id, units)));
    await directory.addLeaderboard({ id, name, benchmark, protocol, createdAt }, 'ws');
    const counts = async () => {
      const listed = (await directory.listLeaderboards('', 1_000)).find((each) => each.id === id);
      return [listed?.entries, listed?.submissions];
    };
    const become = (entries: number | null, submissions: number | null) =>
      vi.waitFor(async () => expect(await counts()).toEqual([entries, submissions]));
    const submitted = (of: string, state: 'validating' | 'scoring' | 'rejected') =>
      board.recordSubmissionState({ id: of, name: of, tier: 'service', state, createdAt: later, workspace: 'ws' });
    return { id, board, become, submitted };
  };

  test('follow its submissions, each counted once, and the entries that are shown', async () => {
    const { board, become, submitted } = await listedBoard();
    await become(0, 0);
    await submitted('sub_a', 'validating');
    await become(0, 1);
    await submitted('sub_a', 'scoring');
    await submitted('sub_b', 'rejected');
    await become(0, 2);
    const { id } = await published(board, 'sub_a', 0.5);
    await become(1, 2);
    must(await board.hideEntry(id, 'it was copied', later));
    await become(0, 2);
    must(await board.showEntry(id, 'it was not', later));
    await become(1, 2);
    must(await board.withdrawEntry(id, 'as asked', later));
    await become(0, 2);
  });

  test('are unknown for one of an earlier release until somebody reads it', async () => {
    const { id, board, become, submitted } = await listedBoard();
    await submitted('sub_a', 'rejected');
    await published(board, 'sub_b', 0.5);
    await become(1, 1);
    await runInDurableObject(directory, (_object, { storage: { sql } }) => {
      sql.exec('UPDATE leaderboards SET entries = NULL, submissions = NULL WHERE id = ?', id);
    });
    await runInDurableObject(board, (_object, { storage: { sql } }) => {
      sql.exec("DELETE FROM facts WHERE key = 'listed'");
    });
    await become(null, null);
    await evictDurableObject(board);
    must(await board.get());
    await become(1, 1);
  });

  test('are reported again by the next start of a leaderboard whose report failed', async () => {
    const { board, become, submitted } = await listedBoard();
    await become(0, 0);
    const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const rename = (from: string, to: string) =>
      runInDurableObject(directory, (_object, { storage: { sql } }) => {
        sql.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
      });
    await rename('leaderboards', 'away');
    await submitted('sub_a', 'rejected');
    await vi.waitFor(() => expect(silent).toHaveBeenCalledWith(expect.stringContaining('countsNotReported')));
    silent.mockRestore();
    await rename('away', 'leaderboards');
    await become(0, 0);
    await evictDurableObject(board);
    must(await board.get());
    await become(0, 1);
  });
});

describe('the directory and the workspace', () => {
  test('list leaderboards once each, page by page', async () => {
    const directory = env.DIRECTORY.getByName(unique('directory'));
    const listed = (id: string) => ({ id, name: id, benchmark: 'bm_1', protocol: 'sgvef', createdAt: later }) as const;
    for (const id of ['lb_b', 'lb_a', 'lb_b', 'lb_c']) await directory.addLeaderboard(listed(id), 'ws');
    const none = { entries: 0, submissions: 0 };
    expect(await directory.setLeaderboardCounts('lb_b', { entries: 2, submissions: 5 })).toBe(true);
    expect(await directory.setLeaderboardCounts('lb_d', { entries: 2, submissions: 5 })).toBe(false);
    // Listed again, it keeps its counts.
    await directory.addLeaderboard(listed('lb_b'), 'ws');
    expect(await directory.listLeaderboards('', 2)).toEqual([
      { ...listed('lb_a'), ...none },
      { ...listed('lb_b'), entries: 2, submissions: 5 },
    ]);
    expect(await directory.listLeaderboards('lb_b', 2)).toEqual([{ ...listed('lb_c'), ...none }]);
    expect(await directory.hasLeaderboard('lb_b')).toBe(true);
    expect(await directory.hasLeaderboard('lb_d')).toBe(false);
  });

  test('limit the submissions of a workspace in any 24 hours', async () => {
    const workspace = env.WORKSPACE.getByName(unique('ws'));
    const hour = 60 * 60_000;
    expect(await workspace.consumeSubmissionQuota('sub_a', 2, 0)).toBe(true);
    expect(await workspace.consumeSubmissionQuota('sub_a', 2, hour)).toBe(true);
    expect(await workspace.consumeSubmissionQuota('sub_b', 2, hour)).toBe(true);
    expect(await workspace.consumeSubmissionQuota('sub_c', 2, 24 * hour - 1)).toBe(false);
    expect(await workspace.consumeSubmissionQuota('sub_b', 2, 24 * hour - 1)).toBe(true);
    expect(await workspace.consumeSubmissionQuota('sub_c', 2, 24 * hour)).toBe(true);
    expect(await workspace.consumeSubmissionQuota('sub_d', 2, 24 * hour)).toBe(false);
  });
});
