import type { Context } from 'hono';
import { readSignedCard } from '#adapters/secrets/share-tokens.ts';
import { kindOfSharedRun, type Share } from '#core/access/share/shared-run.ts';
import { getProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { firstTierWithEntries } from '#core/leaderboards/submissions/state.ts';
import { makeBoardPicture, makeEntryPicture, type PicturedTier } from '#core/pictures/board-picture.ts';
import { findComparedAgentsOrNull, makeEvaluationPicture } from '#core/pictures/evaluation-picture.ts';
import { makeExplorationPicture } from '#core/pictures/exploration-picture.ts';
import { drawLinkPicture, mostRows, type LinkPicture } from '#core/pictures/link-picture.ts';
import { sha256Hex } from '#core/values/canonical.ts';
import type { ApiEnv, Services } from './context.ts';
import { ifNoneMatchHasEtag } from './etag.ts';
import {
  requireLeaderboardObject,
  requireOfferedMetricOrHeadline,
  requireRankedEntry,
  requireRankingReader,
  unwrapRankingAnswer,
} from './leaderboard-reads.ts';
import { readFloorIfUnderProtocol } from './measure-floor.ts';
import { Refusal, unwrap } from './problem.ts';
import { parseRankedEntry } from './ranked-entry.ts';
import { requireSharedRun } from './shared-run.ts';

/** What the card of a shared run shows, and which run it is. */
interface RunCard {
  readonly run: string;
  readonly picture: LinkPicture;
}

/** What was read of runs, for the picture that is asked for right after the page. Whether it may be shown is asked each time. */
const lately = new Map<string, { readonly picture: LinkPicture; readonly atMs: number }>();
const latelyMs = 60_000;
const mostLately = 100;

/** Returns what the token of a card shows; null if it was not made here, or if its share has ended, was revoked or may no longer be shown. */
export async function readCardOfRunOrNull(c: Context<ApiEnv>, token: string): Promise<RunCard | null> {
  const share = await readSignedCard(c.var.services.settings.ENCRYPTION_KEY, token);
  if (share === null || Date.now() >= share.endsAt * 1_000) return null;
  try {
    await requireSharedRun(c, share.workspace, share);
    return { run: share.run, picture: await readPictureOfRunOnceAMinute(c, share) };
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

async function readPictureOfRunOnceAMinute(c: Context<ApiEnv>, share: Share): Promise<LinkPicture> {
  const name = `${share.workspace}/${share.run}`;
  const kept = lately.get(name);
  if (kept !== undefined && Date.now() - kept.atMs < latelyMs) return kept.picture;
  const picture = await readPictureOfRun(c, share);
  keepNewest(lately, name, { picture, atMs: Date.now() }, mostLately);
  return picture;
}

async function readPictureOfRun(c: Context<ApiEnv>, { workspace, run }: Share): Promise<LinkPicture> {
  const { services } = c.var;
  const kind = kindOfSharedRun(run);
  const object = await findObjectOfRun(services, workspace, run);
  if (kind === 'exploration') return makeExplorationPicture(unwrap(await services.object('exploration', object).get()));
  const evaluation = services.object('evaluation', object);
  const [record, results] = [unwrap(await evaluation.get()), unwrap(await evaluation.results.read())];
  const compared = findComparedAgentsOrNull(results);
  const [floor, comparison] = await Promise.all([
    results.floor ?? readFloorIfUnderProtocol(c, record.config.benchmark, record.protocol),
    compared === null ? null : evaluation.results.compare(...compared),
  ]);
  return makeEvaluationPicture(record, { ...results, floor }, comparison === null ? null : unwrap(comparison));
}

async function findObjectOfRun(services: Services, workspace: string, run: string): Promise<string> {
  const found = await services.object('workspace', workspace).findResource(kindOfSharedRun(run), run);
  if (found === null) throw new Error(`${run} was shared, and is gone`);
  return found.object;
}

/** Returns what a link to a leaderboard shows, or refuses if there is none. */
export async function readPictureOfBoard(c: Context<ApiEnv>, id: string): Promise<LinkPicture> {
  const board = unwrap(await (await requireLeaderboardObject(c, id)).get());
  return makeBoardPicture(await readTier(c, board, firstTierWithEntries(board.entries), 0));
}

/** Returns what a link to an entry shows, or refuses if it is not published. */
export async function readPictureOfEntry(c: Context<ApiEnv>, id: string, entryId: string): Promise<LinkPicture> {
  const headline = await requireOfferedMetricOrHeadline(c, id, undefined);
  const { entry, ranked } = await requireRankedEntry(c, id, entryId, headline);
  const board = unwrap(await (await requireLeaderboardObject(c, id)).get());
  const around = await readTier(c, board, entry.tier, Math.max(0, ranked.position - Math.ceil(mostRows / 2)));
  return makeEntryPicture(around, { entry, rank: ranked.rank, ranked: ranked.ranked });
}

async function readTier(
  c: Context<ApiEnv>,
  board: PicturedTier['board'],
  tier: PicturedTier['tier'],
  from: number,
): Promise<PicturedTier> {
  const headline = await requireOfferedMetricOrHeadline(c, board.id, undefined);
  const ranking = await requireRankingReader(c, board.id);
  const [page, floor] = await Promise.all([
    ranking.page(tier, headline, from, mostRows),
    readFloorOfHeadlineOrNull(c, board),
  ]);
  const { rows, total } = unwrapRankingAnswer(page);
  return { board, tier, total, rows: rows.map(parseRankedEntry), floor };
}

async function readFloorOfHeadlineOrNull(
  c: Context<ApiEnv>,
  { benchmark, protocol }: { readonly benchmark: string; readonly protocol: ProtocolKey },
): Promise<number | null> {
  const floor = await readFloorIfUnderProtocol(c, benchmark, protocol);
  return floor?.state === 'measured' ? (floor.scores[getProtocol(protocol).headline]?.value ?? null) : null;
}

/** Pictures by their entity tag: drawing takes a hundred times as long as all else. */
const drawn = new Map<string, Uint8Array<ArrayBuffer>>();
const mostDrawn = 20;

/** Answers with a picture as PNG, which anybody may keep for five minutes; a client that has it gets 304. */
export async function respondWithPicture(c: Context<ApiEnv>, picture: LinkPicture): Promise<Response> {
  const svg = drawLinkPicture(picture);
  const etag = `"${(await sha256Hex(svg)).slice(0, 32)}"`;
  const headers = { etag, 'cache-control': 'public, max-age=300' };
  if (ifNoneMatchHasEtag(c.req.header('if-none-match') ?? '', etag)) return c.body(null, 304, headers);
  const png = drawn.get(etag) ?? new Uint8Array(await c.var.services.drawPng(svg));
  keepNewest(drawn, etag, png, mostDrawn);
  return c.body(png, 200, { ...headers, 'content-type': 'image/png' });
}

/** Keeps a value, and no more than so many: the ones that were kept first go. */
function keepNewest<T>(kept: Map<string, T>, name: string, value: T, most: number): void {
  kept.delete(name);
  kept.set(name, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= most) break;
    kept.delete(oldest);
  }
}
