import { documented } from '#api/documented.ts';
import { doesLoopSearch } from '#core/benchmarks/protocols/loops.ts';
import { findTierRefusalText } from '#core/leaderboards/tier-refusal.ts';
import { getProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { hasScope } from '#core/access/access.ts';
import { refuse } from '#core/values/errors.ts';
import type { Result } from '#core/values/result.ts';
import { agentName, externalLimits, type StoredAgent } from '#core/evaluation/config.ts';
import { defaultClaimMs } from '#core/evaluation/lease.ts';
import { givesPrivateUnitsToTier } from '#core/leaderboards/limits.ts';
import type { LeaderboardCreation } from '#core/leaderboards/record.ts';
import { retrievalChoice } from '#core/models/retrieval.ts';
import { oracleMounting } from '#core/units/mounting/mounting.ts';
import { listToolsOfLargestMount } from '#core/units/mounting/largest-mount.ts';
import { agentLimits } from '#core/models/limits.ts';
import { modelWithListPrice } from '#core/models/list-prices.ts';
import {
  entryName,
  newSubmission,
  type NewSubmissionBody,
  type SubmissionCreation,
  type SubmissionRecord,
  submissionRecord,
} from '#core/leaderboards/submissions/record.ts';
import type { WholeUpload } from '#core/leaderboards/submissions/trace-file.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import {
  makeEndpoint,
  idParams,
  describeJsonResponse,
  describeJsonBody,
  jsonLinesBody,
  describeCreatedResponse,
} from '../endpoint.ts';
import { makeRepeatableCreatingCall, type CreatingCall, idempotencyHeader } from '../idempotency.ts';
import { requireBenchmarkOfAnyWorkspace } from '../require-benchmark.ts';
import { requireProgramsIfCode } from '../require-programs.ts';
import { throwIfAgentMayNotSeeServers } from '../require-public.ts';
import { requireLeaderboardObject } from '../leaderboard-reads.ts';
import { throwIfJudgeNotRightEnough } from '../measure-judge.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireWorkingModels } from '../preflight.ts';
import { requireOwnedObject } from '../owned.ts';
import { bodyProblems, describeProblemResponses, refusal, unwrap } from '../problem.ts';
import type { SubmissionService } from '../services.ts';
import { makeStoredGatewayModels, prepareModelForStorage } from '../stored-model.ts';
import { writeUploadInPiecesUntilRefused } from '../forward-upload.ts';
import { takeUploadObject } from '../upload-object.ts';
import { makeUploadPace, type GiveWay } from '../upload-pace.ts';
import { makeDatedListEndpoint, makeEventsEndpoint } from './runs.ts';

/** Returns the submission with this id, if the caller moderates its leaderboard. */
export async function requireSubmissionToModerate(c: Context<ApiEnv>, id: string): Promise<SubmissionService> {
  const { services, caller } = c.var;
  const boards = hasScope(caller, 'admin')
    ? await services.directory.listWorkspaceLeaderboardIds(caller.workspace)
    : [];
  // Asks the leaderboards and not the submission, because asking an object creates it, and ids can be guessed.
  for (const board of boards) {
    if (await services.object('leaderboard', board).mayModerate(caller.workspace, id))
      return services.object('submission', id);
  }
  throw refusal('not-found', `there is no submission ${id}`);
}

/** Returns the submission with this id, if the caller made or moderates it. */
async function requireOwnOrModeratedSubmission(c: Context<ApiEnv>, id: string): Promise<SubmissionService> {
  const own = await c.var.services.object('workspace', c.var.caller.workspace).findResource('submission', id);
  return own === null ? requireSubmissionToModerate(c, id) : c.var.services.object('submission', own.object);
}

/** Returns the leaderboard of a submission; refuses if the submitter means another version of its benchmark. */
async function requireLeaderboardOfBenchmark(
  c: Context<ApiEnv>,
  id: string,
  benchmark: string | undefined,
): Promise<LeaderboardCreation> {
  const value = unwrap(await (await requireLeaderboardObject(c, id)).creation());
  if (benchmark !== undefined && benchmark !== value.benchmark) {
    throw refusal(
      'benchmark-mismatch',
      `the submission is for the benchmark ${benchmark}; the leaderboard ${id} is of ${value.benchmark}`,
    );
  }
  return value;
}

/** Refuses a tier whose submissions the leaderboard cannot measure. */
function throwIfTierUnmeasurable(leaderboard: LeaderboardCreation, tier: SubmissionTier): void {
  const reason = findTierRefusalText(leaderboard, tier);
  if (reason !== null)
    throw refusal('tier-unmeasurable', `the leaderboard takes no submissions of the tier ${tier}: ${reason}`);
}

/** A submitting call, and the submission that an earlier call with the same key and body created, or null. */
async function prepareCallAndFindEarlierSubmission(
  c: Context<ApiEnv>,
  key: string | undefined,
  body: unknown,
): Promise<{ readonly call: CreatingCall; readonly earlier: SubmissionRecord | null }> {
  const { services, caller } = c.var;
  const call = makeRepeatableCreatingCall(services.object('workspace', caller.workspace), 'submission', key, body);
  return { call, earlier: await call.findEarlier((id) => services.object('submission', id).resumeCreation()) };
}

/** URL of a submission. */
const submissionUrlPath = ({ id }: Pick<SubmissionRecord, 'id'>): string => `/v1/submissions/${id}`;

/**
 * Creates a submission from a valid request: it counts against the daily quota, and the submitter reserves its name.
 */
async function createNamedSubmissionWithinQuota(
  c: Context<ApiEnv>,
  leaderboard: LeaderboardCreation,
  submission: Pick<SubmissionCreation, 'id' | 'name' | 'tier' | 'agent' | 'at'>,
  upload: string | null = null,
): Promise<SubmissionRecord> {
  const { services, caller } = c.var;
  const { id, name, tier, at } = submission;
  const workspace = services.object('workspace', caller.workspace);
  if (givesPrivateUnitsToTier(leaderboard, tier)) {
    unwrap(await services.object('leaderboard', leaderboard.id).refuseWorkspaceGivenPrivateUnits(caller.workspace, id));
    const benchmark = await requireBenchmarkOfAnyWorkspace(c, leaderboard.benchmark);
    unwrap(await workspace.refusePrivateUnitsGivenElsewhere(await benchmark.unitIds('private'), id));
  }
  const { SUBMISSIONS_PER_DAY: perDay } = services.settings;
  if (!(await workspace.consumeSubmissionQuota(id, perDay, Date.parse(at))))
    throw refusal('quota-exceeded', `a workspace may make ${perDay} submissions in 24 hours`);
  // After the quota check, because a name is reserved permanently, and many could be taken from others.
  unwrap(await services.object('leaderboard', leaderboard.id).claimName(name, caller.workspace));
  // Listed before it is created, so that there is never a running submission that nobody can find.
  await workspace.addResource('submission', { id, object: id, json: JSON.stringify({ createdAt: at }) });
  const { benchmark, trials, seed } = leaderboard;
  return unwrap(
    await services
      .object('submission', id)
      .create(
        { ...submission, workspace: caller.workspace, leaderboard: leaderboard.id, benchmark, trials, seed },
        upload,
      ),
  );
}

/**
 * The fixed name of a submission's agent in its evaluation, so that random draws do not depend on a name that a
 * submitter chose.
 */
const soleAgent = 'agent';

const createSubmission = makeEndpoint(
  {
    method: 'post',
    path: '/v1/submissions',
    tags: ['submissions'],
    summary: 'Submit an agent to a leaderboard',
    description:
      'With the tier `service` we run the agent, with the model that the submitter names and whose key is used for this run only. With `gateway` the submitter claims the attempts (`/v1/attempts/claim`) and works through the recording gateway; with `models` it asks these through the model gateway, at the expense of the submitter, and its entry has tokens and cost. Follow the submission at `/v1/submissions/{id}/events`. With an `Idempotency-Key` the call can be repeated.',
    middleware: [admitCallerWithScope('submit')],
    request: {
      headers: idempotencyHeader,
      body: describeJsonBody(documented(newSubmission, 'NewSubmission')),
    },
    responses: {
      202: describeCreatedResponse('The submission', documented(submissionRecord, 'Submission')),
      ...describeProblemResponses(
        ...bodyProblems,
        'not-found',
        'private-server',
        'benchmark-mismatch',
        'tier-unmeasurable',
        'name-taken',
        'private-units-given',
        'quota-exceeded',
        'address-forbidden',
        'model-refused',
        'model-unreachable',
        'idempotency-mismatch',
      ),
    },
  },
  async (c) => {
    const body = c.req.valid('json');
    const { call, earlier } = await prepareCallAndFindEarlierSubmission(
      c,
      c.req.valid('header')['idempotency-key'],
      body,
    );
    if (earlier !== null) return c.json(earlier, 202, { Location: submissionUrlPath(earlier) });
    const leaderboard = await requireLeaderboardOfBenchmark(c, body.leaderboard, body.benchmark);
    throwIfTierUnmeasurable(leaderboard, body.tier);
    await throwIfJudgeNotRightEnough(c, leaderboard);
    await throwIfAgentMayNotSeeServers(c, leaderboard);
    const agent = await checkAndMakeStoredAgent(c, body, leaderboard);
    const now = new Date();
    const id = await call.newId('sub', now);
    const { name, tier } = body;
    const record = await createNamedSubmissionWithinQuota(c, leaderboard, {
      id,
      name,
      tier,
      agent,
      at: now.toISOString(),
    });
    return c.json(record, 202, { Location: submissionUrlPath(record) });
  },
);

async function checkAndMakeStoredAgent(
  c: Context<ApiEnv>,
  body: NewSubmissionBody,
  leaderboard: LeaderboardCreation,
): Promise<StoredAgent> {
  const { settings } = c.var.services;
  if (body.tier === 'gateway') {
    const { models, program } = body;
    return {
      name: soleAgent,
      loop: 'external',
      limits: gatewayLimits(body, leaderboard),
      models: models && (await makeStoredGatewayModels(models, settings, 'submission')),
      program,
    };
  }
  const { loop = getProtocol(leaderboard.protocol).defaultLoop, model, endpoint, limits } = body.agent;
  if (endpoint === undefined && leaderboard.workspace !== c.var.caller.workspace)
    throw refusal('invalid-request', 'agent.endpoint: give the address of the model, and its key');
  requireProgramsIfCode({ name: soleAgent, loop }, c.var.services);
  // The list decides where it knows the model: a price that a submitter names may be anything.
  const stored = modelWithListPrice(
    { ...(await prepareModelForStorage('agent', endpoint && { ...endpoint, model }, settings)), model },
    new Date(),
  );
  const benchmark = await requireBenchmarkOfAnyWorkspace(c, leaderboard.benchmark);
  const mounting = leaderboard.mounting ?? oracleMounting;
  const tools = listToolsOfLargestMount(mounting, await benchmark.listCatalogTools(), leaderboard.seed);
  const { ifTooManyTools: ifTooMany } = getProtocol(leaderboard.protocol);
  const turn = { loop, tools, limits: agentLimits.parse(limits), ifTooMany } as const;
  const { withLearnt } = await requireWorkingModels([{ name: 'the agent', role: 'agent', model: stored, turn }], c.var);
  // The leaderboard's embedder, so that all of its entries find tools in the same way.
  const retrieval = { ...retrievalChoice.parse({}), embedder: leaderboard.embedder };
  const found = doesLoopSearch(loop) ? { retrieval } : {};
  return { name: soleAgent, loop, limits: agentLimits.parse(limits), ...found, model: withLearnt(stored) };
}

/** Returns the limits of an agent at the gateway, which by default has as long for an attempt as the leaderboard lets it. */
function gatewayLimits(
  { limits }: Extract<NewSubmissionBody, { readonly tier: 'gateway' }>,
  { claimMs = defaultClaimMs }: Pick<LeaderboardCreation, 'claimMs'>,
) {
  const { timeMs = claimMs } = limits;
  if (timeMs > claimMs)
    throw refusal('invalid-request', `limits.timeMs: claims of this leaderboard last at most ${claimMs} ms`);
  return externalLimits.parse({ timeMs });
}

const uploadSubmission = makeEndpoint(
  {
    method: 'post',
    path: '/v1/submissions/upload',
    tags: ['submissions'],
    summary: "Submit an agent's traces to a leaderboard",
    description:
      'The tier `self-reported`: the body is a file of traces (JSON Lines up to 64 MiB, a line up to 1 MiB), such as `/v1/evaluations/{id}/traces` gives. All metrics are computed from the traces. A file that was changed is refused with the number of the line; one that breaks a rule becomes a rejected submission with all that was found.',
    middleware: [admitCallerWithScope('submit')],
    request: {
      headers: idempotencyHeader,
      query: z.object({ leaderboard: z.string().min(1).max(100), name: entryName }),
      body: jsonLinesBody,
    },
    responses: {
      202: describeCreatedResponse('The submission', documented(submissionRecord, 'Submission')),
      ...describeProblemResponses(
        'invalid-line',
        'body-too-large',
        'content-mismatch',
        'not-found',
        'benchmark-mismatch',
        'tier-unmeasurable',
        'name-taken',
        'quota-exceeded',
        'idempotency-mismatch',
      ),
    },
  },
  async (c) => {
    const query = c.req.valid('query');
    const { body } = c.req.raw;
    if (body === null) throw refusal('invalid-line', 'the file is empty');
    const leaderboard = await requireLeaderboardOfBenchmark(c, query.leaderboard, undefined);
    throwIfTierUnmeasurable(leaderboard, 'self-reported');
    await throwIfJudgeNotRightEnough(c, leaderboard);
    const now = new Date();
    // Uploads with the same key must not mix, so each has its own object, and the first complete one counts.
    const upload = await takeUploadObject(c, 'submission', 'upl', (object) => object.discardUpload());
    try {
      await upload.object.beginUpload();
      const { header, seal } = unwrap(
        await uploadAndCheckTraces(upload.object, body, makeUploadPace(c.var.caller.key), leaderboard.protocol),
      );
      const { agent, benchmark, configuration } = header;
      // A repeated upload must be the same file, which is known only after all of it has arrived.
      const key = c.req.valid('header')['idempotency-key'];
      const { call, earlier } = await prepareCallAndFindEarlierSubmission(c, key, { ...query, seal });
      if (earlier !== null) return c.json(earlier, 202, { Location: submissionUrlPath(earlier) });
      await requireLeaderboardOfBenchmark(c, query.leaderboard, benchmark);
      const name = agentName.safeParse(agent);
      if (!name.success) throw refusal('invalid-line', `line 1: agent: ${name.error.issues[0]?.message ?? 'no name'}`);
      const id = await call.newId('sub', now);
      const submission = {
        id,
        name: query.name,
        tier: 'self-reported',
        agent: { name: name.data, loop: 'uploaded', configuration },
        at: now.toISOString(),
      } as const;
      const record = await createNamedSubmissionWithinQuota(c, leaderboard, submission, upload.name);
      return c.json(record, 202, { Location: submissionUrlPath(record) });
    } finally {
      // Deletes a refused or interrupted upload; an accepted one has been copied.
      await upload.discard();
    }
  },
);

async function uploadAndCheckTraces(
  submission: SubmissionService,
  body: ReadableStream<Uint8Array>,
  giveWay: GiveWay,
  wanted: ProtocolKey,
): Promise<Result<WholeUpload>> {
  const written = await writeUploadInPiecesUntilRefused(body, giveWay, (lines) => submission.uploadLines(lines));
  if (!written.ok) return written;
  const whole = await submission.describeUploadIfComplete();
  if (!whole.ok) return whole;
  const { protocol } = whole.value.header;
  return protocol === wanted
    ? whole
    : refuse('benchmark-mismatch', `the traces are of the protocol ${protocol}; the leaderboard's is ${wanted}`);
}

const listSubmissions = makeDatedListEndpoint({
  kind: 'submission',
  summary: 'List the submissions of the workspace, oldest first',
  item: 'ListedRun',
  description: 'A page of submissions',
});

const getSubmission = makeEndpoint(
  {
    method: 'get',
    path: '/v1/submissions/{id}',
    tags: ['submissions'],
    summary: 'Read a submission: its state and why',
    description: 'For its submitter and for the moderators of its leaderboard.',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse('The submission', documented(submissionRecord, 'Submission')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const submission = await requireOwnOrModeratedSubmission(c, c.req.valid('param').id);
    return c.json(unwrap(await submission.get()), 200);
  },
);

const followSubmission = makeEventsEndpoint({
  resource: 'submissions',
  summary: 'Follow a submission',
  path: '/v1/submissions/{id}',
  params: idParams,
  find: (c, params) => requireOwnOrModeratedSubmission(c, idParams.parse(params).id),
  end: 'Once it is published, rejected or withdrawn the stream ends with an event `end`.',
});

const withdrawSubmission = makeEndpoint(
  {
    method: 'post',
    path: '/v1/submissions/{id}/withdraw',
    tags: ['submissions'],
    summary: 'Take a submission back',
    description:
      "Wherever it stands. What was published of it leaves the leaderboard; the leaderboard's log keeps that it was there.",
    middleware: [admitCallerWithScope('submit')],
    request: {
      params: idParams,
      body: describeJsonBody(documented(z.strictObject({ reason: z.string().max(500).default('') }), 'Withdrawal')),
    },
    responses: {
      200: describeJsonResponse('The submission', documented(submissionRecord, 'Submission')),
      ...describeProblemResponses(...bodyProblems, 'not-found', 'wrong-state'),
    },
  },
  async (c) => {
    const submission = await requireOwnedObject(c, 'submission', c.req.valid('param').id);
    const { reason } = c.req.valid('json');
    const why = reason === '' ? 'withdrawn by its submitter' : `withdrawn by its submitter: ${reason}`;
    return c.json(unwrap(await submission.withdraw(why)), 200);
  },
);

export const submissionEndpoints: readonly Endpoint[] = [
  createSubmission,
  uploadSubmission,
  listSubmissions,
  getSubmission,
  followSubmission,
  withdrawSubmission,
];
