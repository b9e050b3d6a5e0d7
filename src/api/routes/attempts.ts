import { documented } from '#api/documented.ts';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { makeUnforgeableAttemptId, computeAttemptToken, isIssuedAttemptId } from '#adapters/secrets/attempt-tokens.ts';
import { modelRequestBytes } from '#core/models/gateway/model-request.ts';
import { readTokenOfModelClient, requestHeadersToPass } from '#core/models/gateway/wire.ts';
import { isEqualInConstantTime } from '#adapters/secrets/keys.ts';
import { hasScope, unitSightOfCaller } from '#core/access/access.ts';
import {
  attemptEnd,
  attemptResponse,
  claimRequest,
  claimResponse,
  givenBack,
  heartbeatAnswer,
  noSuchAttempt,
} from '#core/evaluation/claim.ts';
import { crashSettlement, settledCrashes } from '#core/evaluation/crashes.ts';
import { readBodyUpTo } from '../bounded-body.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { makeEndpoint, idParams, describeJsonResponse, describeJsonBody } from '../endpoint.ts';
import { idempotencyHeader } from '../idempotency.ts';
import { newId } from '../ids.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireOwnedObject } from '../owned.ts';
import {
  bodyProblems,
  describePublicProblemResponses,
  describeProblemResponses,
  refusal,
  Refusal,
  unwrap,
} from '../problem.ts';
import type { AttemptService } from '../services.ts';

const attemptPattern = /^att_[a-z0-9]{10,60}$/;

/**
 * Returns the attempt with this id, if the id was issued; the attempt itself knows its owner. Other ids reach no
 * object, because asking would create it. Ids of version 0.2.0 have no tag: with the attempt's own token they count as
 * issued.
 */
async function findIssuedAttempt(c: Context<ApiEnv>, id: string, token?: string): Promise<AttemptService | null> {
  const { services } = c.var;
  const { ENCRYPTION_KEY: key } = services.settings;
  if (!attemptPattern.test(id)) return null;
  const hasToken = token !== undefined && isEqualInConstantTime(await computeAttemptToken(key, id), token);
  return hasToken || (await isIssuedAttemptId(key, id)) ? services.object('attempt', id) : null;
}

const claimAttempt = makeEndpoint(
  {
    method: 'post',
    path: '/v1/attempts/claim',
    tags: ['attempts'],
    summary: 'Claim the next attempt of an external agent',
    description:
      "Gives a request, an MCP endpoint that belongs to this attempt alone, and a deadline. Answer at `/v1/attempts/{id}/response`. Those of an evaluation on private units need the scope `admin`. Of an evaluation, a claim that runs out goes back to the queue; at the third time the agent counts as too slow. With `heartbeat` the claimer promises to call `/v1/attempts/{id}/heartbeat` every 15 seconds, so that the attempt of one that died is in the queue again within a minute. Of a submission an attempt is had once: a claim that runs out is its result, with an empty response. The units of a submission are handed out in batches, public and private ones in one order. One that another workspace makes on servers that are used one at a time ends when no call has come for `leaseMs`, and such claims wait for runs of the servers' owner. With an `Idempotency-Key` the call can be repeated.",
    middleware: [admitCallerWithScope('run', 'submit')],
    request: {
      headers: idempotencyHeader,
      body: describeJsonBody(documented(claimRequest, 'ClaimRequest')),
    },
    responses: {
      200: describeJsonResponse('An attempt, or that there is none', documented(claimResponse, 'Claim')),
      ...describeProblemResponses(...bodyProblems, 'not-found', 'wrong-state'),
    },
  },
  async (c) => {
    const wanted = c.req.valid('json');
    const key = c.req.valid('header')['idempotency-key'] ?? null;
    // A key with only the scope `submit` may work only on submissions.
    if (!('submission' in wanted) && !hasScope(c.var.caller, 'run'))
      throw refusal('forbidden', 'attempts of an evaluation need a key with the scope "run"');
    const { ENCRYPTION_KEY } = c.var.services.settings;
    const made = await makeUnforgeableAttemptId(ENCRYPTION_KEY, newId('att', new Date()));
    const answer = unwrap(
      'submission' in wanted
        ? await (await requireOwnedObject(c, 'submission', wanted.submission)).claimAttempt(made, key)
        : await (
            await requireOwnedObject(c, 'evaluation', wanted.evaluation)
          ).claims.claimAttempt(
            { agent: wanted.agent, attempt: made, key, heartbeat: wanted.heartbeat === true },
            unitSightOfCaller(c.var.caller),
          ),
    );
    if (answer.kind === 'wait') return c.json({ status: 'wait' as const, retryAfterMs: answer.retryAfterMs }, 200);
    if (answer.kind === 'finished') return c.json({ status: 'finished' as const }, 200);
    const { attempt: id, request, deadline, leaseMs, models: names = [] } = answer;
    const token = await computeAttemptToken(ENCRYPTION_KEY, id);
    const url = new URL(`/mcp/attempts/${id}`, c.req.url).href;
    const mcp = { url, headers: { Authorization: `Bearer ${token}` } };
    const models = names.length === 0 ? {} : { models: { names: [...names], urls: modelUrls(id, c.req.url), token } };
    return c.json({ status: 'claimed' as const, attempt: { id, request, mcp, ...models, deadline, leaseMs } }, 200);
  },
);

/** Returns where clients of each API find an attempt's models: OpenAI's expect the version in the address, the others add it. */
const modelUrls = (id: string, at: string) => {
  const url = (family: string): string => new URL(`/models/attempts/${id}/${family}`, at).href;
  return { openai: url('openai/v1'), anthropic: url('anthropic'), gemini: url('gemini') };
};

const respondToAttempt = makeEndpoint(
  {
    method: 'post',
    path: '/v1/attempts/{id}/response',
    tags: ['attempts'],
    summary: "End an attempt with the agent's response",
    description:
      'Once, and before the deadline; the same response may be sent again, and gets the same answer. The calls are those that the recording gateway saw. With `crashed` the agent broke down before it had an answer: of an evaluation the attempt is held until `/v1/evaluations/{id}/crashes` says what becomes of it, of a submission it counts with an empty response.',
    middleware: [admitCallerWithScope('run', 'submit')],
    request: {
      params: idParams,
      body: describeJsonBody(documented(attemptResponse, 'AttemptResponse')),
    },
    responses: {
      200: describeJsonResponse('What the attempt counts as', documented(attemptEnd, 'AttemptEnd')),
      ...describeProblemResponses(...bodyProblems, 'not-found', 'attempt-over'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const attempt = await findIssuedAttempt(c, id);
    if (attempt === null) throw new Refusal(noSuchAttempt.problem);
    return c.json(unwrap(await attempt.acceptResponse(c.var.caller.workspace, c.req.valid('json'))), 200);
  },
);

const beatForAttempt = makeEndpoint(
  {
    method: 'post',
    path: '/v1/attempts/{id}/heartbeat',
    tags: ['attempts'],
    summary: 'Say that an attempt is still being made',
    description:
      'For attempts that were claimed with `heartbeat`: every 15 seconds, whatever the agent is doing. Calls at its MCP endpoint count as well. An attempt without a sign of life for 45 seconds is given back. For other attempts it changes nothing.',
    middleware: [admitCallerWithScope('run', 'submit')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse('Until when the attempt is held', documented(heartbeatAnswer, 'HeartbeatAnswer')),
      ...describeProblemResponses('not-found', 'attempt-over'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const attempt = await findIssuedAttempt(c, id);
    if (attempt === null) throw new Refusal(noSuchAttempt.problem);
    return c.json(unwrap(await attempt.acceptHeartbeat(c.var.caller.workspace)), 200);
  },
);

const giveBackAttempt = makeEndpoint(
  {
    method: 'delete',
    path: '/v1/attempts/{id}',
    tags: ['attempts'],
    summary: 'Give an attempt back without a response',
    description:
      'For an agent that cannot be started, or is stopped. Its connections end at once, and other attempts get the servers that it had for itself. Of an evaluation, one that made no call is in the queue again as if nobody had claimed it; any other one counts as a claim that ran out, and so does each of a submission. Repeating it gets the same answer.',
    middleware: [admitCallerWithScope('run', 'submit')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse('Whether it can be claimed again', documented(givenBack, 'GivenBack')),
      ...describeProblemResponses('not-found', 'attempt-over'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const attempt = await findIssuedAttempt(c, id);
    if (attempt === null) throw new Refusal(noSuchAttempt.problem);
    return c.json(unwrap(await attempt.giveBack(c.var.caller.workspace)), 200);
  },
);

const settleCrashes = makeEndpoint(
  {
    method: 'post',
    path: '/v1/evaluations/{id}/crashes',
    tags: ['attempts'],
    summary: 'Make crashed attempts again, or count them as failed',
    description:
      'Of one external agent, or of all. A crashed attempt has no score while it is held. `retry` puts it back into the queue, and the results count it in `retried`; `fail` scores it with an empty response, which is final. Attempts of submissions are never held. Repeating the call settles what crashed since.',
    middleware: [admitCallerWithScope('run')],
    request: { params: idParams, body: describeJsonBody(documented(crashSettlement, 'CrashSettlement')) },
    responses: {
      200: describeJsonResponse('How many attempts that settled', documented(settledCrashes, 'SettledCrashes')),
      ...describeProblemResponses(...bodyProblems, 'not-found', 'forbidden'),
    },
  },
  async (c) => {
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    return c.json(unwrap(await run.claims.settleCrashes(c.req.valid('json'), unitSightOfCaller(c.var.caller))), 200);
  },
);

const gatewayPath = '/mcp/attempts/{id}';

const gatewayRoute = createRoute({
  method: 'post',
  path: gatewayPath,
  tags: ['attempts'],
  summary: 'The MCP endpoint of an attempt: a recording gateway',
  description:
    "An MCP server over Streamable HTTP, without sessions of its own: it lists the mounted tools as their servers describe them, forwards calls, relays progress and errors unchanged, and writes the attempt's trace. It wants the token that came with the claim, which opens nothing else. There is no standing stream: GET and DELETE answer 405.",
  request: { params: idParams, body: { content: { 'application/json': { schema: z.unknown() } } } },
  security: [{ attemptToken: [] }],
  responses: {
    200: {
      description: 'JSON-RPC, as one message or as a stream of events',
      content: { 'text/event-stream': { schema: z.unknown() }, 'application/json': { schema: z.unknown() } },
    },
    202: { description: 'A notification was taken' },
    ...describePublicProblemResponses('unauthorized', 'attempt-over', 'body-too-large', 'unsupported-media-type'),
  },
});

/** Open to any MCP client; the attempt itself checks the token. */
const addAttemptGateway: Endpoint = (api) => {
  const handle = async (c: Context<ApiEnv>, id: string): Promise<Response> => {
    const presented = /^Bearer +(\S{1,200})$/i.exec(c.req.header('authorization') ?? '')?.[1];
    if (presented === undefined)
      throw refusal('unauthorized', 'send the attempt\'s token as "Authorization: Bearer <token>"');
    const attempt = await findIssuedAttempt(c, id, presented);
    // Answers as for an existing attempt with a wrong token, so that nobody learns which ids exist.
    if (attempt === null) throw refusal('unauthorized', 'this is not the token of this attempt');
    unwrap(await attempt.admitOrReportIntrusion(presented));
    const answer = await attempt.fetch(c.req.raw);
    // The headers of a fetched response are immutable.
    return new Response(answer.body, answer);
  };
  // Documented but not validated here, because the MCP server reads the body itself.
  api.openAPIRegistry.registerPath({ ...gatewayRoute, path: gatewayPath });
  api.on(['POST', 'GET', 'DELETE'], '/mcp/attempts/:id', (c) => handle(c, c.req.param('id')));
  api.openAPIRegistry.registerComponent('securitySchemes', 'attemptToken', { type: 'http', scheme: 'bearer' });
};

const modelGatewayPath = '/models/attempts/{id}/{api}';

const modelGatewayRoute = createRoute({
  method: 'post',
  path: modelGatewayPath,
  tags: ['attempts'],
  summary: 'The models of an attempt: a recording gateway',
  description:
    "Takes requests of OpenAI's Chat Completions (`openai/v1/chat/completions`) and Responses (`openai/v1/responses`), Anthropic's Messages (`anthropic/v1/messages`) and Gemini's API (`gemini/v1beta/models/{model}:generateContent`) for the models that the evaluation names for the agent, and passes them with its key to their endpoint. The answer comes as the endpoint gives it, streams too. What each request took is recorded with the attempt. It wants the token that came with the claim, as a bearer token or where these APIs have their key.",
  request: {
    params: idParams.extend({ api: z.string() }),
    body: { content: { 'application/json': { schema: z.unknown() } } },
  },
  security: [{ attemptToken: [] }],
  responses: {
    200: {
      description: "The endpoint's answer",
      content: { 'text/event-stream': { schema: z.unknown() }, 'application/json': { schema: z.unknown() } },
    },
    ...describePublicProblemResponses(
      'unauthorized',
      'attempt-over',
      'not-found',
      'malformed-json',
      'body-too-large',
      'unsupported-media-type',
      'model-requests-spent',
      'model-not-answering',
    ),
  },
});

/** Open to any client of these APIs; the attempt itself checks the token. */
const addModelGateway: Endpoint = (api) => {
  // Documented but not validated here, because the body goes to the endpoint as it is.
  api.openAPIRegistry.registerPath({ ...modelGatewayRoute, path: modelGatewayPath });
  api.post('/models/attempts/:id/:api{.+}', async (c) => {
    const { id, api: path } = c.req.param();
    const token = readTokenOfModelClient(c.req.raw.headers);
    if (token === undefined) throw refusal('unauthorized', "send the attempt's token where the API has its key");
    const attempt = await findIssuedAttempt(c, id, token);
    // Answers as for an existing attempt with a wrong token, so that nobody learns which ids exist.
    if (attempt === null) throw refusal('unauthorized', 'this is not the token of this attempt');
    unwrap(await attempt.admitOrReportIntrusion(token));
    const body = await readBodyUpTo(c.req.raw, modelRequestBytes);
    if (body === null) throw refusal('body-too-large', `a model request may have ${modelRequestBytes} bytes`);
    const { headers, url } = c.req.raw;
    const sent = { path, query: new URL(url).search, headers: requestHeadersToPass(headers), body };
    const answer = unwrap(await attempt.answerModelRequest(sent));
    // The headers of a passed response are immutable.
    return new Response(answer.body, answer);
  });
};

export const attemptEndpoints: readonly Endpoint[] = [
  claimAttempt,
  respondToAttempt,
  beatForAttempt,
  giveBackAttempt,
  settleCrashes,
  addAttemptGateway,
  addModelGateway,
];
