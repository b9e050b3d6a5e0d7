import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { Admission } from '#adapters/network/admission.ts';
import {
  makeRedisRankingIfConfigured,
  chooseRankingSource,
  type RankingObject,
} from '#adapters/ranking/choose-ranking.ts';
import { settingsSchema } from '#adapters/settings.ts';
import { computePlacesAndFronts, rankingChangeByAdding } from '#core/leaderboards/ranking-change.ts';
import { rankingOrdersOfProtocol } from '#core/leaderboards/metrics.ts';
import type { RankingReader } from '#core/leaderboards/ranking.ts';
import { makeRandom } from '#core/values/random.ts';
import { EmbeddedRanking } from '#durable-objects/leaderboard/embedded-ranking.ts';
import { RankingOutbox } from '#durable-objects/leaderboard/ranking-outbox.ts';
import { Leaderboard } from '#durable-objects/leaderboard/leaderboard.ts';
import { creationOf, publicationOf, scoredWith } from '../support/leaderboard.ts';
import { entryAt, value } from '../support/ranking-contract.ts';
import { newRedis } from '../support/redis-script.ts';
import { unique } from '../support/workspace.ts';

/** A leaderboard whose deployment has a database: what it publishes is read there. */

const later = '2026-05-02T12:00:00.000Z';
const units = 12;
const random = makeRandom('outbox');

beforeAll(() => {
  // Every failure is told there.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

async function opened() {
  const redis = await newRedis(inject('world').redis);
  const id = unique('lb');
  const variables = { ...env, UPSTASH_REDIS_REST_URL: redis.url, UPSTASH_REDIS_REST_TOKEN: redis.token };
  const settings = settingsSchema.parse(variables);
  const stub = env.LEADERBOARD.getByName(id);
  // The object as it is in such a deployment; the tests' own has no database.
  const on = <T>(use: (board: Leaderboard, state: DurableObjectState) => T | Promise<T>): Promise<T> =>
    runInDurableObject(stub, (_object, state) =>
      use(
        boards.of(id, () => new Leaderboard(state, variables)),
        state,
      ),
    );
  await on((board) => board.open(creationOf(id, units)));
  const elsewhere = makeRedisRankingIfConfigured(settings, { id, protocol: 'sgvef' }, new Admission());
  if (elsewhere === null) throw new Error('there is no database');
  const object: RankingObject = {
    page: (tier, metric, from, limit) => on((board) => board.page(tier, metric, from, limit)),
    place: (metric, entry) => on((board) => board.place(metric, entry)),
    seq: () => on((board) => board.seq()),
    syncDatabaseRanking: () => on((board) => board.syncDatabaseRanking()),
  };
  const reader = chooseRankingSource(settings, { id, protocol: 'sgvef' }, object, new Admission());
  const publish = (entry: string) => {
    const skill = random.next();
    const values = Array.from({ length: units }, () => skill + (random.next() - 0.5) / 3);
    return on((board) =>
      board.publishUnlessSuspicious(publicationOf(entry, scoredWith(values, { costUsd: random.below(9) }))),
    );
  };
  return { id, redis, on, elsewhere, reader, publish, alarm: () => on((_board, { storage }) => storage.getAlarm()) };
}
type Opened = Awaited<ReturnType<typeof opened>>;

/** Objects that live as long as the tests do, as they would in a deployment. */
const boards = {
  made: new Map<string, Leaderboard>(),
  of(id: string, make: () => Leaderboard): Leaderboard {
    const known = this.made.get(id) ?? make();
    this.made.set(id, known);
    return known;
  },
};

const pages = (reader: RankingReader) =>
  Promise.all(
    rankingOrdersOfProtocol('sgvef').metrics.map(async (metric) => value(await reader.page('service', metric, 0, 100))),
  );

const same = async ({ elsewhere, on }: Opened) => {
  const here = await on((board) =>
    rankingOrdersOfProtocol('sgvef').metrics.map((metric) => value(board.page('service', metric, 0, 100))),
  );
  expect(await pages(elsewhere)).toEqual(here);
};

describe('the ranking in a database', () => {
  test("equals the object's ranking after every change", async () => {
    const board = await opened();
    await Promise.all(['sub_a', 'sub_b', 'sub_c', 'sub_d', 'sub_e'].map((id) => board.publish(id)));
    await same(board);
    await board.on((object) => object.hideEntry('sub_b', 'looked odd', later));
    await board.on((object) => object.withdrawEntry('sub_c', 'a mistake', later));
    await same(board);
    await board.on((object) => object.showEntry('sub_b', 'is fine', later));
    await same(board);
    expect(value(await board.elsewhere.seq())).toBe(8);
    expect(await board.alarm()).toBeNull();
  });

  test('gets a publication later if the database fails, without failing the publication', async () => {
    const board = await opened();
    await board.publish('sub_a');
    await board.redis.tell([{ behaviour: { kind: 'status', status: 500 } }]);
    expect(await board.publish('sub_b')).toMatchObject({ kind: 'published' });
    expect(await board.alarm()).not.toBeNull();
    const asked = (await board.redis.requests()).length;
    // Until the alarm nobody tries again.
    expect(await board.publish('sub_c')).toMatchObject({ kind: 'published' });
    expect((await board.redis.requests()).length).toBe(asked);
    const waits: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      await board.on((object) => object.alarm());
      waits.push(((await board.alarm()) ?? 0) - Date.now());
    }
    expect(waits.map((wait) => Math.ceil(wait / 1_000))).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300]);
    await board.redis.tell([]);
    await board.on((object) => object.alarm());
    await same(board);
    expect(await board.alarm()).toBeNull();
    await board.publish('sub_d');
    await same(board);
  });

  test('is refilled by the next read after the database was emptied', async () => {
    const board = await opened();
    for (const id of ['sub_a', 'sub_b', 'sub_c']) await board.publish(id);
    const before = await pages(board.reader);
    for (const read of [
      () => board.reader.page('service', 'success', 0, 10),
      () => board.reader.place('success', 'sub_a'),
      () => board.reader.seq(),
    ]) {
      await board.redis.send('FLUSHDB');
      expect(await read()).toMatchObject({ ok: true });
      await same(board);
    }
    expect(await pages(board.reader)).toEqual(before);
    await board.redis.send('FLUSHDB');
    await board.publish('sub_d');
    await same(board);
  });

  test('changes nothing twice if an answer was lost or late', async () => {
    const board = await opened();
    await board.publish('sub_a');
    await board.redis.tell([{ times: 1, behaviour: { kind: 'cut', when: 'after' } }]);
    await board.publish('sub_b');
    await board.on((object) => object.syncDatabaseRanking());
    await same(board);
    expect(value(await board.elsewhere.seq())).toBe(2);
  });

  test('keeps the old state if a rebuild breaks off, while changes continue', async () => {
    const board = await opened();
    for (const id of ['sub_a', 'sub_b']) await board.publish(id);
    await board.redis.send('FLUSHDB');
    await board.redis.tell([{ command: ',"entries",', times: 1, behaviour: { kind: 'cut', when: 'before' } }]);
    await board.publish('sub_c');
    expect(await board.alarm()).not.toBeNull();
    const [, ...published] = await Promise.all([
      board.on((object) => object.syncDatabaseRanking()),
      board.publish('sub_d'),
      board.publish('sub_e'),
    ]);
    expect(published).toMatchObject([{ kind: 'published' }, { kind: 'published' }]);
    await board.on((object) => object.syncDatabaseRanking());
    await same(board);
  });

  test('gets the whole ranking where one entry puts more behind than a request carries', async () => {
    const board = await opened();
    const orders = rankingOrdersOfProtocol('sgvef');
    const many = Array.from({ length: 600 }, (_, n) => entryAt(`sub_${String(n).padStart(3, '0')}`, 0, { cost: n }));
    await runInDurableObject(env.LEADERBOARD.getByName(unique('lb')), async (_object, { storage }) => {
      const ranking = new EmbeddedRanking(storage.sql, () => orders);
      const outbox = new RankingOutbox(storage, ranking, board.elsewhere);
      const whole = { seq: 1, ...computePlacesAndFronts(orders, many, () => () => false) };
      storage.transactionSync(() => ranking.replaceRanking(whole, many));
      const change = rankingChangeByAdding(
        ranking,
        'service',
        entryAt('sub_best', -1, { cost: 1_000 }),
        () => () => false,
      );
      expect(change.behind).toHaveLength(600);
      storage.transactionSync(() => {
        ranking.applyChangeOrReturnGap(change);
        outbox.add(change);
      });
      expect(storage.sql.exec('SELECT length(json) AS chars FROM outbox').one()).toEqual({ chars: 22 });
      await outbox.deliverUnlessFailing();
      const there = value(await board.elsewhere.page('service', 'cost', 0, 5));
      expect(there).toEqual(ranking.readPage('service', 'cost', 0, 5));
      expect(there.rows.map(({ ranked }) => ranked)).toEqual([true, false, false, false, false]);
    });
  });

  test('is answered by the object if nobody has published yet', async () => {
    const board = await opened();
    expect(value(await board.reader.page('service', 'success', 0, 10))).toEqual({ seq: 0, total: 0, rows: [] });
    expect(value(await board.reader.place('success', 'sub_none'))).toBeNull();
    expect(value(await board.reader.seq())).toBe(0);
  });

  test('is reported as a fault to readers if the database cannot be reached', async () => {
    const board = await opened();
    await board.publish('sub_a');
    await board.redis.tell([{ behaviour: { kind: 'cut', when: 'before' } }]);
    expect(await board.reader.page('service', 'success', 0, 10)).toMatchObject({
      ok: false,
      fault: { code: 'unreachable' },
    });
  });

  test('is read from the object without a database', async () => {
    const settings = settingsSchema.parse(env);
    const stub = env.LEADERBOARD.getByName(unique('lb'));
    expect(chooseRankingSource(settings, { id: 'lb_1', protocol: 'sgvef' }, stub, new Admission())).toBe(stub);
    expect(makeRedisRankingIfConfigured(settings, { id: 'lb_1', protocol: 'sgvef' }, new Admission())).toBeNull();
  });
});
