import { z } from '@hono/zod-openapi';
import { canonicalJson, sha256Hex } from '#core/canonical.ts';
import { exportFormats } from '#core/evaluation/breakdown-record.ts';
import { evaluationProblem } from '#core/evaluation/problems.ts';
import { mapErr } from '#core/result.ts';
import { checkTrials } from '#core/evaluation/size.ts';
import { harnessVersion } from '#core/harness.ts';
import { entriesHead, entryLine } from '#core/leaderboards/export.ts';
import { defaultMetric, rankingMetric } from '#core/leaderboards/metrics.ts';
import {
  boardSubmission,
  entry,
  type Entry,
  entryPlace,
  type LeaderboardBirth,
  leaderboardRecord,
  listedLeaderboard,
  type LogLine,
  newLeaderboard,
  rankedEntry,
  signedRecord,
} from '#core/leaderboards/record.ts';
import { signingKey } from '#core/leaderboards/signature.ts';
import { attachment } from '../attachment.ts';
import type { Endpoint } from '../context.ts';
import { anId, endpoint, idParams, json, jsonBody, jsonLines, made } from '../endpoint.ts';
import { leaderboardNamed } from '../leaderboard-reads.ts';
import { requires } from '../middleware/authenticate.ts';
import { requireModels } from '../model-check.ts';
import { ownedName } from '../owned.ts';
import { page, pageOf, pageQuery } from '../pages.ts';
import { bodyProblems, openProblems, problems, refusal, unwrap } from '../problem.ts';
import { storeModel } from '../stored-model.ts';
import { pagedText } from '../text-stream.ts';

/** What leaderboards look like in the document of the API, each thing under one name. */

const newLeaderboardBody = newLeaderboard.openapi('NewLeaderboard');
const leaderboard = leaderboardRecord.openapi('Leaderboard');
const leaderboardSummary = listedLeaderboard.openapi('LeaderboardSummary');
export const publishedEntry = entry.openapi('Entry');
export const rankedEntryRecord = rankedEntry.extend({ entry: publishedEntry }).openapi('RankedEntry');
export const place = entryPlace.openapi('EntryPlace');
export const signed = signedRecord.openapi('SignedRecord');
export const submissionSummary = boardSubmission.openapi('BoardSubmission');

export const leaderboardParams = idParams;
export const entryParams = leaderboardParams.extend({ entry: anId });

export const metricQuery = z.object({
  metric: rankingMetric.default(defaultMetric).openapi({ description: 'What the entries are ordered by' }),
});

/** The headers of an answer that can be asked for again with `If-None-Match`. */
export const versioned = z.object({ ETag: z.string(), 'Cache-Control': z.string() });

export const notModified = { 304: { description: 'The client holds it already', headers: versioned } } as const;

/** Luck is the same for all entries. */
const seed = 1;

const createLeaderboard = endpoint(
  {
    method: 'post',
    path: '/v1/leaderboards',
    tags: ['leaderboards'],
    summary: 'Open the public leaderboard of a benchmark',
    description:
      'There is one for a benchmark and a protocol, so the same call can be repeated. Everybody may read it and, with a key, submit to it; agents work on the servers of this workspace, and its admins moderate. Judge and embedder, those of the owner or of the deployment, are the same for all entries.',
    middleware: [requires('run')],
    request: { body: jsonBody(newLeaderboardBody) },
    responses: {
      201: made('The leaderboard', leaderboard),
      ...problems(
        ...bodyProblems,
        'not-found',
        'nothing-to-evaluate',
        'evaluation-too-large',
        'leaderboard-exists',
        'address-forbidden',
        'model-not-found',
        'model-unauthorized',
        'model-unreachable',
      ),
    },
  },
  async (c) => {
    const { benchmark, protocol, name, trials, previous = null, ...models } = c.req.valid('json');
    const { services, caller } = c.var;
    const benchmarkObject = await ownedName(c, 'benchmark', benchmark);
    const frozen = unwrap(await services.object('benchmark', benchmarkObject).get());
    if (frozen.publicUnits === 0) throw refusal('nothing-to-evaluate', 'the benchmark has no public units');
    // Agents at the gateway get the private units too.
    unwrap(mapErr(checkTrials({ units: frozen.units, trials }), evaluationProblem));
    if (previous !== null) await leaderboardNamed(c, previous);
    const id = `lb_${(await sha256Hex(canonicalJson({ benchmark, protocol }))).slice(0, 24)}`;
    const [judge, embedder] = await Promise.all([
      storeModel('judge', models.judge, services.settings),
      storeModel('embedder', models.embedder, services.settings),
    ]);
    await requireModels(
      [
        { name: 'the judge', role: 'judge', model: judge },
        { name: 'the embedder', role: 'embedder', model: embedder },
      ],
      services.settings,
      c.var.admission,
    );
    const birth: LeaderboardBirth = {
      id,
      workspace: caller.workspace,
      benchmark,
      benchmarkObject,
      protocol,
      name,
      trials,
      previous,
      seed,
      catalog: frozen.catalog,
      harness: harnessVersion,
      publicUnits: frozen.publicUnits,
      privateUnits: frozen.privateUnits,
      offline: services.settings.OFFLINE_MODELS || frozen.offline,
      judge,
      embedder,
      at: new Date().toISOString(),
    };
    const record = unwrap(await services.object('leaderboard', id).open(birth));
    // Again, where a call before came this far: without it nobody finds the leaderboard.
    await services.directory.leaderboardAdded(
      {
        id,
        name: record.name,
        benchmark,
        protocol,
        createdAt: record.createdAt,
      },
      caller.workspace,
    );
    c.header('Location', `/v1/leaderboards/${id}`);
    return c.json(record, 201);
  },
);

const listLeaderboards = endpoint(
  {
    method: 'get',
    path: '/v1/leaderboards',
    tags: ['leaderboards'],
    summary: 'List the leaderboards of the deployment',
    description: 'Needs no key. By id.',
    security: [],
    request: { query: pageQuery },
    responses: {
      200: json('A page of leaderboards', pageOf(leaderboardSummary)),
      ...openProblems(),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services.directory.listLeaderboards(cursor, limit + 1);
    return c.json(
      page(read, limit, ({ id }) => id),
      200,
    );
  },
);

const getLeaderboard = endpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}',
    tags: ['leaderboards'],
    summary: 'Read what a leaderboard is',
    description: 'Needs no key.',
    security: [],
    request: { params: leaderboardParams },
    responses: {
      200: json('The leaderboard', leaderboard),
      ...openProblems('not-found'),
    },
  },
  async (c) => {
    const board = await leaderboardNamed(c, c.req.valid('param').id);
    return c.json(unwrap(await board.get()), 200);
  },
);

const getFront = endpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}/front',
    tags: ['leaderboards'],
    summary: 'Read the Pareto front of cost and execution',
    description:
      'Needs no key. The entries that no other one beats both in cost an attempt and in execution score, the cheapest first. Entries whose cost is not known are not on it. Of a longer front 200 entries are given, both its ends among them and the others evenly between; `onFront` of an entry is always exact.',
    security: [],
    request: { params: leaderboardParams },
    responses: {
      200: json('The entries', z.object({ items: z.array(publishedEntry) })),
      ...openProblems('not-found'),
    },
  },
  async (c) => {
    const board = await leaderboardNamed(c, c.req.valid('param').id);
    return c.json({ items: await board.front() }, 200);
  },
);

const linesPerRead = 500;

const readLog = endpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}/log',
    tags: ['leaderboards'],
    summary: 'Read the log of a leaderboard as JSON Lines',
    description:
      'Needs no key. Everything that was published, hidden, shown or withdrawn, and why. Each line has the hash of the line before and of itself in `hash`, so that one that is removed or altered shows.',
    security: [],
    request: { params: leaderboardParams },
    responses: {
      200: jsonLines('The log'),
      ...openProblems('not-found'),
    },
  },
  async (c) => {
    const board = await leaderboardNamed(c, c.req.valid('param').id);
    const written = (line: LogLine) => `${JSON.stringify(line)}\n`;
    const file = pagedText('', async (last) => board.logLines(last?.n ?? 0, linesPerRead), written);
    return c.body(file, 200, { 'content-type': 'text/jsonl' });
  },
);

const entriesPerRead = 100;

const exportLeaderboard = endpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}/export',
    tags: ['leaderboards'],
    summary: 'Export the published entries as JSON Lines or CSV',
    description:
      'Needs no key. An entry a line, by id. In CSV (RFC 4180, a header first) text from outside that a spreadsheet would take for a formula has an apostrophe before it; domains are in JSON Lines alone.',
    security: [],
    request: {
      params: leaderboardParams,
      query: z.object({ format: z.enum(exportFormats).default('jsonl') }),
    },
    responses: {
      200: {
        description: 'The file',
        content: { 'text/jsonl': { schema: z.string() }, 'text/csv': { schema: z.string() } },
      },
      ...openProblems('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const { format } = c.req.valid('query');
    const board = await leaderboardNamed(c, id);
    const written = (each: Entry) => entryLine(format, each);
    const file = pagedText(
      entriesHead(format),
      async (last) => board.listEntries(last?.id ?? '', entriesPerRead),
      written,
    );
    return c.body(file, 200, attachment(id, format));
  },
);

const getSigningKey = endpoint(
  {
    method: 'get',
    path: '/v1/signing-key',
    tags: ['leaderboards'],
    summary: 'The public key that signed records are checked with',
    description:
      'Needs no key of yours. Note it down where others cannot change it: it is what a record is held against. A record brings the key along that it was signed with.',
    security: [],
    responses: {
      200: json(
        'The key',
        z
          .object({
            algorithm: z.literal('Ed25519'),
            publicKey: z.string().openapi({ description: 'Base64 of its 32 bytes' }),
            retired: z
              .array(z.object({ publicKey: z.string(), until: z.string() }))
              .openapi({ description: 'Keys that records were signed with before, each until a day' }),
          })
          .openapi('SigningKey'),
      ),
      ...openProblems(),
    },
  },
  async (c) => {
    const { SIGNING_KEY, RETIRED_SIGNING_KEYS: retired } = c.var.services.settings;
    const { publicKey } = await signingKey(SIGNING_KEY);
    return c.json({ algorithm: 'Ed25519' as const, publicKey, retired }, 200);
  },
);

export const leaderboardEndpoints: readonly Endpoint[] = [
  createLeaderboard,
  listLeaderboards,
  getLeaderboard,
  getFront,
  readLog,
  exportLeaderboard,
  getSigningKey,
];
