import { Redis } from '@upstash/redis';
import { z } from 'zod';
import { spentMetric, type RankingMetric } from '#core/leaderboards/metrics.ts';
import { sortKeyOrInfinity } from '#core/leaderboards/order.ts';
import type { Ranked, RankedRow, RankingChange, RankingStore, WholeRanking } from '#core/leaderboards/ranking.ts';
import { submissionTier } from '#core/leaderboards/submissions/state.ts';
import { applyScript, fillScript, pageScript, placeScript, seqScript, switchScript } from './redis-scripts.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { type UpstashAnswer, type UpstashEndpoint, makeUpstashRequester } from '#adapters/upstash/requester.ts';

interface RedisRequesterOptions extends UpstashEndpoint {
  readonly admission: Admission;
}

/**
 * Why a command at Upstash Redis failed: thrown through the client, which knows only successful results. `refused`: the
 * database was reached but refused; otherwise it could not be reached. The message contains no address, no token and
 * nothing of the command.
 */
class RedisFailure extends Error {
  readonly refused: boolean;

  constructor(message: string, refused: boolean) {
    super(message);
    this.name = 'RedisFailure';
    this.refused = refused;
  }
}

/**
 * The transport of the client of Upstash Redis. Repeats nothing, because the caller knows whether the answer is still
 * needed.
 */
const makeRedisRequester = (options: RedisRequesterOptions) =>
  makeUpstashRequester(options, async (once) => {
    const answer = await options.admission.runHoldingPlace(once);
    if (answer.kind === 'result') return answer.result;
    throw makeRedisFailure(answer);
  });

function makeRedisFailure(answer: Exclude<UpstashAnswer, { kind: 'result' }>): RedisFailure {
  if (answer.kind === 'malformed') return new RedisFailure(answer.detail, true);
  if (answer.kind === 'broken') return new RedisFailure(answer.detail, false);
  const { status, error } = answer;
  if (status === 401) return new RedisFailure('HTTP status 401: the database does not accept the token', false);
  // Redis starts its errors with a kind in capitals. The rest may repeat the command, so it is dropped.
  const kind = /^[A-Z]{2,20}(?= |$)/.exec(error)?.[0];
  const refused = status === 400 && kind !== undefined;
  return new RedisFailure(`HTTP status ${status}${refused ? `: ${kind}` : ''}`, refused);
}

export interface RedisRankingOptions extends Pick<RedisRequesterOptions, 'admission' | 'url' | 'token' | 'fetch'> {
  /** Id of the leaderboard. */
  readonly id: string;
  /** What its entries are ordered by. */
  readonly metrics: readonly RankingMetric[];
  readonly timeoutMs?: number;
  /** A name that no generation of this leaderboard has had. */
  readonly newName?: () => string;
}

/** For a reader of a page, a slow database is as bad as none. */
const patienceMs = 3_000;
/** Number of items in one request of a rebuild; entries are large. */
const entriesAtOnce = 50;
const itemsAtOnce = 5_000;
/** Remains of an abandoned rebuild expire after this time. */
const unfinishedSeconds = 3_600;

const applied = z.enum(['applied', 'gap']);
const seqAnswer = z.tuple([z.int().min(0)]);
const bit = z.literal([0, 1]);
const pageAnswer = z
  .tuple([z.int().min(0), z.int().min(0)])
  .rest(z.union([z.int(), z.string()]))
  .transform(([seq, total, ...flat]) => ({ seq, total, flat }));
const rowAnswer = z.tuple([z.int().min(1), bit, bit, z.string()]);
const placeAnswer = z.union([
  z.tuple([z.int()]),
  z.tuple([z.int(), z.int(), z.int(), z.int().min(1), bit, bit, z.string().min(1), z.string(), z.string()]),
]);

/**
 * The ranking of one leaderboard in a database at Upstash Redis. If the database has lost it, or never had it, the
 * ranking is empty with `seq` 0.
 */
export function makeRedisRanking(options: RedisRankingOptions): RankingStore {
  const { metrics, timeoutMs = patienceMs, newName = () => crypto.randomUUID() } = options;
  const redis = new Redis(makeRedisRequester({ ...options, timeoutMs }));
  const key = `lb:{${options.id}}:generation`;
  const ask = async <T>(script: string, args: readonly (string | number)[], form: z.ZodType<T>): Promise<Ranked<T>> => {
    try {
      const answer: unknown = await redis.createScript(script).exec([key], args.map(String));
      const { success, data } = form.safeParse(answer);
      return success
        ? { ok: true, value: data }
        : makeRankingFault('malformed', 'the database answers in another form');
    } catch (error) {
      if (!(error instanceof RedisFailure)) throw error;
      return makeRankingFault(error.refused ? 'malformed' : 'unreachable', error.message);
    }
  };

  return {
    async page(tier, metric, from, limit) {
      const found = await ask(pageScript, [tier, metric, from, limit], pageAnswer);
      if (!found.ok) return found;
      const { seq, total, flat } = found.value;
      const rows: RankedRow[] = [];
      for (let at = 0; at < flat.length; at += 4) {
        const { data } = rowAnswer.safeParse(flat.slice(at, at + 4));
        if (data === undefined) return makeRankingFault('malformed', 'the database has a page of another form');
        const [rank, ranked, onFront, json] = data;
        rows.push({ position: from + rows.length + 1, rank, ranked: ranked === 1, onFront: onFront === 1, json });
      }
      return { ok: true, value: { seq, total, rows } };
    },

    async place(metric, id) {
      const found = await ask(placeScript, [metric, id], placeAnswer);
      if (!found.ok) return found;
      if (found.value.length === 1) return { ok: true, value: null };
      const [seq, total, position, rank, ranked, onFront, leader, above, json] = found.value;
      const place = { seq, total, position, rank, ranked: ranked === 1, onFront: onFront === 1 };
      return { ok: true, value: { ...place, leader, above: above || null, json } };
    },

    async seq() {
      const found = await ask(seqScript, metrics, seqAnswer);
      return found.ok ? { ok: true, value: found.value[0] } : found;
    },

    apply: (change) => ask(applyScript, makeApplyScriptArguments(change, metrics, newName()), applied),

    async rebuild(whole) {
      const generation = newName();
      for await (const [name, part] of splitRankingForRequests(whole, metrics)) {
        const args = [generation, unfinishedSeconds, name, JSON.stringify(part)];
        const filled = await ask(fillScript, args, z.literal('filled'));
        if (!filled.ok) return filled;
      }
      const switched = await ask(switchScript, [generation, whole.seq, ...metrics], z.literal('switched'));
      return switched.ok ? { ok: true, value: null } : switched;
    },
  };
}

/** Redis and JavaScript have different names for infinity. */
const formatRedisScore = (key: number): string => (key === Infinity ? '+inf' : String(key));

function makeApplyScriptArguments(
  { seq, tier, put, remove, behind, leads, front }: RankingChange,
  metrics: readonly RankingMetric[],
  name: string,
): string[] {
  const change = {
    tier,
    metrics,
    keys: put === null ? [] : metrics.map((metric) => formatRedisScore(sortKeyOrInfinity(put, metric))),
    moved: behind.flatMap((each) =>
      spentMetric.options.map((metric) => [metric, each.id, formatRedisScore(sortKeyOrInfinity(each, metric))]),
    ),
    leads: leads.map((each) => [each.metric, each.id, each.leads]),
    front,
  };
  return [String(seq), JSON.stringify(change), put?.id ?? '', put?.json ?? '', remove ?? '', name];
}

/** Splits a whole ranking into parts that each fit into a request. */
async function* splitRankingForRequests(
  { places, fronts, entries }: WholeRanking,
  metrics: readonly RankingMetric[],
): AsyncGenerator<[name: string, part: unknown[]]> {
  for (const tier of submissionTier.options) {
    const own = places.filter((place) => place.tier === tier);
    for (const metric of metrics)
      for (const part of splitIntoChunks(own, itemsAtOnce))
        yield [
          `${tier}:${metric}`,
          part.map((place) => [
            place.id,
            formatRedisScore(sortKeyOrInfinity(place, metric)),
            place.leads[metric] ?? false,
          ]),
        ];
    for (const part of splitIntoChunks(fronts[tier], itemsAtOnce)) yield [`front:${tier}`, part];
  }
  for (let after = ''; ;) {
    const page = await entries(after, entriesAtOnce);
    const last = page.at(-1);
    if (last === undefined) return;
    yield ['entries', page.map(({ id, json }) => [id, json])];
    after = last.id;
  }
}

function* splitIntoChunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

const makeRankingFault = (code: 'unreachable' | 'malformed', detail: string) =>
  ({ ok: false, fault: { code, detail } }) as const;
