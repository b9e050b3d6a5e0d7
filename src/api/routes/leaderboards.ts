import { documented } from '#api/documented.ts';
import { protocolOfBenchmarkOrDefault } from '#core/benchmarks/benchmark.ts';
import { attack } from '#core/benchmarks/protocols/attack.ts';
import { getProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { EvaluationConfig } from '#core/evaluation/config.ts';
import { gatherEvaluationBasisOrRefuse } from '#core/evaluation/gather-basis.ts';
import { throwIfAttackOnForeignServers } from '../refuse-foreign-attacks.ts';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import { problemOfEvaluationRefusal } from '#core/evaluation/problems.ts';
import { mapErr } from '#core/values/result.ts';
import { refuseTooManyLeaderboardTrials } from '#core/evaluation/size-limits.ts';
import { harnessVersion } from '#core/values/harness-version.ts';
import { exportHeaderTextOrEmpty, entryExportLineText } from '#core/leaderboards/export.ts';
import {
  type RankedEntry,
  type LeaderboardCreation,
  leaderboardRecord,
  listedLeaderboard,
  type LogLine,
  newLeaderboard,
} from '#core/leaderboards/record.ts';
import { makeSigningKeyFromSeed } from '#core/leaderboards/signature.ts';
import type { ModelChoice } from '#core/models/choices.ts';
import { attachmentHeaders, exportQuery, exportResponse } from '../attachment.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import {
  makeEndpoint,
  idParams,
  describeJsonResponse,
  describeJsonBody,
  describeJsonLinesResponse,
  describeCreatedResponse,
} from '../endpoint.ts';
import { requireLeaderboardObject } from '../leaderboard-reads.ts';
import { startJudgeMeasure } from '../measure-judge.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireWorkingModels } from '../preflight.ts';
import { requireOwnedObjectName } from '../owned.ts';
import { makePageFromItemsAndOneMore, pageSchema, pageQuery } from '../pages.ts';
import { bodyProblems, describePublicProblemResponses, describeProblemResponses, refusal, unwrap } from '../problem.ts';
import { prepareModelForStorage } from '../stored-model.ts';
import { makePagedTextStream } from '../text-stream.ts';

const leaderboard = documented(leaderboardRecord, 'Leaderboard');

/** One fixed seed, so every entry is scored with the same random draws. */
const seed = 1;

/** Refuses more trials than can be evaluated; agents at the gateway also get the private units. */
function throwIfTooManyTrials(size: Parameters<typeof refuseTooManyLeaderboardTrials>[0]): void {
  unwrap(mapErr(refuseTooManyLeaderboardTrials(size), problemOfEvaluationRefusal));
}

/** Refuses a leaderboard of attacks whose agents would call servers that are not its owner's. */
async function throwIfServersAreForeign(
  c: Context<ApiEnv>,
  benchmarkObject: string,
  { trials, protocol }: Pick<EvaluationConfig, 'trials'> & { readonly protocol: ProtocolKey },
): Promise<void> {
  const { services, caller } = c.var;
  const basis = await gatherEvaluationBasisOrRefuse(
    services.object('benchmark', benchmarkObject),
    services.object('workspace', caller.workspace),
    { split: 'public', trials, protocol },
    { count: 1, seen: [] },
  );
  const { servers } = unwrap(mapErr(basis, problemOfEvaluationRefusal));
  await throwIfAttackOnForeignServers(c, protocol, servers);
}

const createLeaderboard = makeEndpoint(
  {
    method: 'post',
    path: '/v1/leaderboards',
    tags: ['leaderboards'],
    summary: 'Open the public leaderboard of a benchmark',
    description:
      'There is one for a benchmark and a protocol, so the same call can be repeated. Everybody may read it and, with a key, submit to it; agents work on the servers of this workspace, and its admins moderate. Judge and embedder, those of the owner or of the deployment, are the same for all entries. The judge is measured on attempts whose verdict is known, unless it was in its present version; with `judgeAccuracy` nothing is submitted before it is right often enough.',
    middleware: [admitCallerWithScope('run')],
    request: { body: describeJsonBody(documented(newLeaderboard, 'NewLeaderboard')) },
    responses: {
      201: describeCreatedResponse('The leaderboard', leaderboard),
      ...describeProblemResponses(
        ...bodyProblems,
        'not-found',
        'nothing-to-evaluate',
        'evaluation-too-large',
        'leaderboard-exists',
        'attack-on-foreign-server',
        'address-forbidden',
        'model-refused',
        'model-unreachable',
      ),
    },
  },
  async (c) => {
    const { benchmark, name, trials, previous = null, claimMs, judgeAccuracy, ...choices } = c.req.valid('json');
    const { services, caller } = c.var;
    const { settings } = services;
    const [benchmarkObject] = await Promise.all([
      requireOwnedObjectName(c, 'benchmark', benchmark),
      previous === null ? null : requireLeaderboardObject(c, previous),
    ]);
    const frozen = unwrap(await services.object('benchmark', benchmarkObject).get());
    const { catalog, publicUnits, privateUnits, unproven, nearDuplicatesLeftOut } = frozen;
    const own = protocolOfBenchmarkOrDefault(frozen);
    const { protocol = own } = choices;
    const { mountings, requests } = getProtocol(protocol);
    const { mounting = mountings[0] } = choices;
    if (publicUnits === 0) throw refusal('nothing-to-evaluate', 'the benchmark has no public units');
    const { units } = frozen;
    throwIfTooManyTrials({ units, trials, requests: requests[getProtocol(own).unitKind].length });
    if (protocol === attack.key) await throwIfServersAreForeign(c, benchmarkObject, { trials, protocol });
    const id = `lb_${(await sha256Hex(canonicalJson({ benchmark, protocol }))).slice(0, 24)}`;
    const models = await checkAndEncryptScoringModels(c, choices);
    const checkedUnits = await services.object('benchmark', benchmarkObject).countUnitsWithChecks();
    const record = unwrap(
      await services.object('leaderboard', id).open({
        id,
        workspace: caller.workspace,
        benchmark,
        benchmarkObject,
        protocol,
        name,
        trials,
        previous,
        seed,
        catalog,
        harness: harnessVersion,
        publicUnits,
        privateUnits,
        ...(unproven === undefined ? {} : { unproven }),
        ...(nearDuplicatesLeftOut === undefined ? {} : { nearDuplicatesLeftOut }),
        ...(checkedUnits === 0 ? {} : { checkedUnits }),
        offline: settings.OFFLINE_MODELS || frozen.offline,
        mounting,
        claimMs,
        ...(judgeAccuracy === undefined ? {} : { judgeAccuracy }),
        ...models,
        at: new Date().toISOString(),
      }),
    );
    // Repeated after an earlier call that was interrupted here; otherwise nobody would find the leaderboard.
    const listed = { id, name: record.name, benchmark, protocol, createdAt: record.createdAt };
    await services.directory.addLeaderboard(listed, caller.workspace);
    // How rules in place of models judge is no evidence that anybody waits for.
    if (judgeAccuracy !== undefined || !settings.OFFLINE_MODELS)
      await startJudgeMeasure(c, models.judge, { again: false });
    return c.json(record, 201, { Location: `/v1/leaderboards/${id}` });
  },
);

/**
 * Returns the judge and the embedder of a leaderboard as it stores them, keys encrypted; refuses if one of them
 * does not work.
 */
async function checkAndEncryptScoringModels(
  c: Context<ApiEnv>,
  choices: { readonly judge?: ModelChoice | undefined; readonly embedder?: ModelChoice | undefined },
): Promise<Pick<LeaderboardCreation, 'judge' | 'embedder'>> {
  const { settings } = c.var.services;
  const [judge, embedder] = await Promise.all([
    prepareModelForStorage('judge', choices.judge, settings),
    prepareModelForStorage('embedder', choices.embedder, settings),
  ]);
  const named = [
    { name: 'the judge', role: 'judge', model: judge },
    { name: 'the embedder', role: 'embedder', model: embedder },
  ] as const;
  const { withLearnt } = await requireWorkingModels(named, c.var);
  return { judge: withLearnt(judge), embedder: withLearnt(embedder) };
}

const listLeaderboards = makeEndpoint(
  {
    method: 'get',
    path: '/v1/leaderboards',
    tags: ['leaderboards'],
    summary: 'List the leaderboards of the deployment',
    description:
      'Needs no key. By id. `entries` counts those that are published, `submissions` those in any state; both are null for a leaderboard of an earlier release until somebody reads or uses it.',
    security: [],
    request: { query: pageQuery },
    responses: {
      200: describeJsonResponse(
        'A page of leaderboards',
        pageSchema(documented(listedLeaderboard, 'LeaderboardSummary')),
      ),
      ...describePublicProblemResponses(),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services.directory.listLeaderboards(cursor, limit + 1);
    return c.json(
      makePageFromItemsAndOneMore(read, limit, ({ id }) => id),
      200,
    );
  },
);

const getLeaderboard = makeEndpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}',
    tags: ['leaderboards'],
    summary: 'Read what a leaderboard is',
    description: 'Needs no key.',
    security: [],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse('The leaderboard', leaderboard),
      ...describePublicProblemResponses('not-found'),
    },
  },
  async (c) => {
    const board = await requireLeaderboardObject(c, c.req.valid('param').id);
    return c.json(unwrap(await board.get()), 200);
  },
);

const linesPerRead = 500;

const readLog = makeEndpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}/log',
    tags: ['leaderboards'],
    summary: 'Read the log of a leaderboard as JSON Lines',
    description:
      'Needs no key. Everything that was published, hidden, shown or withdrawn, and why. Each line has the hash of the line before and of itself in `hash`, so that one that is removed or altered shows.',
    security: [],
    request: { params: idParams },
    responses: {
      200: describeJsonLinesResponse('The log'),
      ...describePublicProblemResponses('not-found'),
    },
  },
  async (c) => {
    const board = await requireLeaderboardObject(c, c.req.valid('param').id);
    const lineText = (line: LogLine) => `${JSON.stringify(line)}\n`;
    const file = makePagedTextStream('', async (last) => board.logLines(last?.n ?? 0, linesPerRead), lineText);
    return c.body(file, 200, { 'content-type': 'text/jsonl' });
  },
);

const entriesPerRead = 100;

const exportLeaderboard = makeEndpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}/export',
    tags: ['leaderboards'],
    summary: 'Export the published entries as JSON Lines or CSV',
    description:
      'Needs no key. An entry a line, by id, with its `position` and `rank` among the entries of its tier by the headline of the protocol. In CSV (RFC 4180, a header first) text from outside that a spreadsheet would take for a formula has an apostrophe before it; domains are in JSON Lines alone.',
    security: [],
    request: {
      params: idParams,
      query: exportQuery,
    },
    responses: {
      200: exportResponse,
      ...describePublicProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const { format } = c.req.valid('query');
    const board = await requireLeaderboardObject(c, id);
    const { protocol } = unwrap(await board.creation());
    const entryText = (each: RankedEntry) => entryExportLineText(format, protocol, each);
    const file = makePagedTextStream(
      exportHeaderTextOrEmpty(format, protocol),
      async (last) => board.listPublishedWithPlaces(last?.entry.id ?? '', entriesPerRead),
      entryText,
    );
    return c.body(file, 200, attachmentHeaders(id, format));
  },
);

const getSigningKey = makeEndpoint(
  {
    method: 'get',
    path: '/v1/signing-key',
    tags: ['leaderboards'],
    summary: 'The public key that signed records are checked with',
    description:
      'Needs no key of yours. Note it down where others cannot change it: it is what a record is held against. A record brings the key along that it was signed with.',
    security: [],
    responses: {
      200: describeJsonResponse(
        'The key',
        documented(
          z.object({
            algorithm: z.literal('Ed25519'),
            publicKey: documented(z.string(), { description: 'Base64 of its 32 bytes' }),
            retired: documented(z.array(z.object({ publicKey: z.string(), until: z.string() })), {
              description: 'Keys that records were signed with before, each until a day',
            }),
          }),
          'SigningKey',
        ),
      ),
      ...describePublicProblemResponses(),
    },
  },
  async (c) => {
    const { SIGNING_KEY, RETIRED_SIGNING_KEYS: retired } = c.var.services.settings;
    const { publicKey } = await makeSigningKeyFromSeed(SIGNING_KEY);
    return c.json({ algorithm: 'Ed25519' as const, publicKey, retired }, 200);
  },
);

export const leaderboardEndpoints: readonly Endpoint[] = [
  createLeaderboard,
  listLeaderboards,
  getLeaderboard,
  readLog,
  exportLeaderboard,
  getSigningKey,
];
