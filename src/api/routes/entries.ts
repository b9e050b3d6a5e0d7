import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { rankBadgeSvg } from '#core/leaderboards/badge.ts';
import { rankingMetric } from '#core/leaderboards/metrics.ts';
import { entry, entryPlace, rankedEntry, signedRecord } from '#core/leaderboards/record.ts';
import { submissionTier } from '#core/leaderboards/submissions/state.ts';
import { attachmentHeaders } from '../attachment.ts';
import { explainedCase } from '#core/evaluation/explained-case.ts';
import type { Endpoint } from '../context.ts';
import { idSchema, makeEndpoint, idParams, describeJsonResponse, describeJsonLinesResponse } from '../endpoint.ts';
import { makeEtagFromParts, setEtagAndCacheHeaders } from '../etag.ts';
import {
  setVersionHeadersIfClientHasIt,
  requireLeaderboardObject,
  listEntriesUnderSameName,
  readPublicCasesPage,
  requireRankedEntry,
  compareWithGroupLeaders,
  requireOfferedMetricOrHeadline,
  requireRankingReader,
  unwrapRankingAnswer,
} from '../leaderboard-reads.ts';
import { pageSchema, pageQuery } from '../pages.ts';
import { requireLeaderboardWithPublicTexts } from '../require-public.ts';
import { describePublicProblemResponses, unwrap } from '../problem.ts';
import { streamTraceFileWithHashSeal } from '../trace-file.ts';

const publishedEntry = documented(entry, 'Entry');
const entryParams = idParams.extend({ entry: idSchema });
const metricQuery = z.object({
  metric: documented(rankingMetric.optional(), {
    description: "What the entries are ordered by, one of the leaderboard's `metrics`; by default the first",
  }),
});

const tierQuery = z.object({
  tier: documented(submissionTier.default('service'), { description: 'The tier, whose entries rank among themselves' }),
});

/** Scores have reasons and parts, so a page of cases is shorter than others. */
const casePageQuery = pageQuery.extend({
  limit: documented(z.coerce.number().int().min(1).max(50).default(20), { description: 'How many at most' }),
});

/** The headers of an answer that can be revalidated with `If-None-Match`. */
const versioned = z.object({ ETag: z.string(), 'Cache-Control': z.string() });
const notModified = { 304: { description: 'The client holds it already', headers: versioned } } as const;

const listEntries = makeEndpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}/entries',
    tags: ['leaderboards'],
    summary: 'List the entries of a tier of a leaderboard in their order by a metric',
    description:
      'Needs no key. Each tier has a ranking of its own; `entries` of the leaderboard counts those of each. `rank` is the position of the best entry that an entry cannot be told from; entries with equal ranks are ties. Entries without a score come last. A page costs the same wherever it is and however many entries there are.',
    security: [],
    request: {
      params: idParams,
      query: pageQuery.extend({
        ...tierQuery.shape,
        ...metricQuery.shape,
        cursor: documented(
          z
            .string()
            .regex(/^\d{0,7}$/, 'how many entries come before')
            .default(''),
          { description: '`nextCursor` of the page before' },
        ),
      }),
    },
    responses: {
      200: {
        ...describeJsonResponse(
          'A page of entries',
          pageSchema(documented(rankedEntry.extend({ entry: publishedEntry }), 'RankedEntry')).extend({
            total: z.int(),
          }),
        ),
        headers: versioned,
      },
      ...notModified,
      ...describePublicProblemResponses('not-found', 'ranking-unreachable'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const { tier, limit, cursor, ...query } = c.req.valid('query');
    const metric = await requireOfferedMetricOrHeadline(c, id, query.metric);
    const from = Number(cursor);
    const ranking = await requireRankingReader(c, id);
    const versionAt = (seq: number) => makeEtagFromParts(id, seq, tier, metric, from, limit);
    if (await setVersionHeadersIfClientHasIt(c, ranking, versionAt)) return c.body(null, 304);
    const { rows, total, seq } = unwrapRankingAnswer(await ranking.page(tier, metric, from, limit));
    const end = from + rows.length;
    const nextCursor = end < total && rows.length > 0 ? String(end) : null;
    setEtagAndCacheHeaders(c, versionAt(seq));
    // Entries are returned as the leaderboard stored them, because parsing and formatting them again would be most of
    // the work.
    const items = rows.map(
      ({ position, rank, ranked, onFront, json }) =>
        `{"position":${position},"rank":${rank},"ranked":${ranked},"onFront":${onFront},"entry":${json}}`,
    );
    const body = `{"items":[${items.join(',')}],"nextCursor":${JSON.stringify(nextCursor)},"total":${total}}`;
    return c.body(body, 200, { 'content-type': 'application/json' });
  },
);

const getEntry = makeEndpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}/entries/{entry}',
    tags: ['leaderboards'],
    summary: 'Read an entry, where it stands and why',
    description:
      'Needs no key. `place` is that among the entries of its tier. It has the paired comparison, unit by unit, with the entry that leads the group of ties, from which it cannot be told, and with the leader of the group above, from which it can.',
    security: [],
    request: { params: entryParams, query: metricQuery },
    responses: {
      200: {
        ...describeJsonResponse(
          'The entry',
          z.object({ entry: publishedEntry, place: documented(entryPlace, 'EntryPlace') }),
        ),
        headers: versioned,
      },
      ...notModified,
      ...describePublicProblemResponses('not-found', 'entry-gone', 'ranking-unreachable'),
    },
  },
  async (c) => {
    const { id, entry } = c.req.valid('param');
    const metric = await requireOfferedMetricOrHeadline(c, id, c.req.valid('query').metric);
    const versionAt = (seq: number) => makeEtagFromParts(id, entry, seq, metric);
    if (await setVersionHeadersIfClientHasIt(c, await requireRankingReader(c, id), versionAt)) return c.body(null, 304);
    const found = await requireRankedEntry(c, id, entry, metric);
    const why = await compareWithGroupLeaders(await requireLeaderboardObject(c, id), metric, found);
    setEtagAndCacheHeaders(c, versionAt(found.seq));
    return c.json({ entry: found.entry, place: why }, 200);
  },
);

const getFront = makeEndpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}/front',
    tags: ['leaderboards'],
    summary: 'Read the Pareto front of cost and the headline of a tier',
    description:
      'Needs no key. The entries that no other one of the tier beats both in cost an attempt and in the headline of the protocol, the cheapest first. Entries whose cost is not known, or by prices that their submitter declared, are not on it. Of a longer front 200 entries are given, both its ends among them and the others evenly between; `onFront` of an entry is always exact.',
    security: [],
    request: { params: idParams, query: tierQuery },
    responses: {
      200: describeJsonResponse('The entries', z.object({ items: z.array(publishedEntry) })),
      ...describePublicProblemResponses('not-found'),
    },
  },
  async (c) => {
    const board = await requireLeaderboardObject(c, c.req.valid('param').id);
    return c.json({ items: await board.listThinnedFront(c.req.valid('query').tier) }, 200);
  },
);

const getRecord = makeEndpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}/entries/{entry}/record',
    tags: ['leaderboards'],
    summary: "Read an entry's signed record",
    description:
      'Needs no key. The signature (Ed25519) is over the canonical JSON (RFC 8785) of `record`; the public key is the one of `/v1/signing-key`. The record names the seals of the traces that the scores were computed from, and the last hash of the log before it.',
    security: [],
    request: { params: entryParams },
    responses: {
      200: describeJsonResponse('The record', documented(signedRecord, 'SignedRecord')),
      ...describePublicProblemResponses('not-found', 'entry-gone'),
    },
  },
  async (c) => {
    const { id, entry } = c.req.valid('param');
    return c.json(unwrap(await (await requireLeaderboardObject(c, id)).getShownSignedRecord(entry)), 200);
  },
);

const downloadTraces = makeEndpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}/entries/{entry}/traces',
    tags: ['leaderboards'],
    summary: "Download an entry's public traces as JSON Lines",
    description:
      'Needs no key, except where a server of the benchmark is private. A header, an attempt a line with its digest, and a seal, which is the one that the signed record names. What agents did with private units is not in it.',
    security: [],
    request: { params: entryParams },
    responses: {
      200: describeJsonLinesResponse('The file'),
      ...describePublicProblemResponses('not-found', 'entry-gone', 'private-server'),
    },
  },
  async (c) => {
    const { id, entry } = c.req.valid('param');
    unwrap(await (await requireLeaderboardWithPublicTexts(c, id)).getShownEntry(entry));
    const submission = c.var.services.object('submission', entry);
    const header = unwrap(await submission.traceHeader());
    const file = streamTraceFileWithHashSeal(header, async (after) =>
      unwrap(await submission.listPublicTraceLines(after)),
    );
    return c.body(file, 200, attachmentHeaders(entry));
  },
);

const listPublicCases = makeEndpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}/entries/{entry}/cases',
    tags: ['leaderboards'],
    summary: "List an entry's cases of public units with the reasons of their scores",
    description:
      'Needs no key, except where a server of the benchmark is private. Every score of each case and attempt with its parts and its reason, and the goals that judges saw. Cases of private units are not among them.',
    security: [],
    request: { params: entryParams, query: casePageQuery },
    responses: {
      200: describeJsonResponse('A page of cases', pageSchema(explainedCase)),
      ...describePublicProblemResponses('not-found', 'entry-gone', 'private-server'),
    },
  },
  async (c) => {
    const { id, entry } = c.req.valid('param');
    const { limit, cursor } = c.req.valid('query');
    unwrap(await (await requireLeaderboardWithPublicTexts(c, id)).getShownEntry(entry));
    return c.json(await readPublicCasesPage(c.var.services, entry, cursor, limit), 200);
  },
);

const getHistory = makeEndpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}/entries/{entry}/history',
    tags: ['leaderboards'],
    summary: 'Follow an agent over submissions and versions of the benchmark',
    description:
      'Needs no key. The entries of the same name by the same submitter, on this leaderboard and on up to 20 that it says it follows, the newest leaderboard first, and on each its 50 newest entries, the newest first.',
    security: [],
    request: { params: entryParams },
    responses: {
      200: describeJsonResponse(
        'The entries',
        z.object({
          items: z.array(z.object({ leaderboard: z.string(), benchmark: z.string(), entry: publishedEntry })),
        }),
      ),
      ...describePublicProblemResponses('not-found', 'entry-gone'),
    },
  },
  async (c) => {
    const { id, entry } = c.req.valid('param');
    await requireLeaderboardObject(c, id);
    return c.json({ items: await listEntriesUnderSameName(c.var.services, id, entry) }, 200);
  },
);

const getBadge = makeEndpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}/entries/{entry}/badge.svg',
    tags: ['leaderboards'],
    summary: 'A badge that shows where an entry stands',
    description: 'Needs no key. For a page of your own; it follows the leaderboard.',
    security: [],
    request: { params: entryParams },
    responses: {
      200: { description: 'The badge', headers: versioned, content: { 'image/svg+xml': { schema: z.string() } } },
      ...notModified,
      ...describePublicProblemResponses('not-found', 'entry-gone', 'ranking-unreachable'),
    },
  },
  async (c) => {
    const { id, entry } = c.req.valid('param');
    const versionAt = (seq: number) => makeEtagFromParts(id, entry, seq, 'badge');
    const ranking = await requireRankingReader(c, id);
    if (await setVersionHeadersIfClientHasIt(c, ranking, versionAt)) return c.body(null, 304);
    const headline = await requireOfferedMetricOrHeadline(c, id, undefined);
    const found = await requireRankedEntry(c, id, entry, headline);
    const { position, rank, total: of } = found.ranked;
    // Ties are consecutive: a leader has its rank alone unless the next entry has it too.
    const tied =
      rank !== position ||
      unwrapRankingAnswer(await ranking.page(found.entry.tier, headline, position, 1)).rows[0]?.rank === rank;
    setEtagAndCacheHeaders(c, versionAt(found.seq));
    return c.body(rankBadgeSvg(found.entry, { rank, of, tied }), 200, {
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'",
    });
  },
);

export const entryEndpoints: readonly Endpoint[] = [
  listEntries,
  getEntry,
  getFront,
  getRecord,
  downloadTraces,
  listPublicCases,
  getHistory,
  getBadge,
];
