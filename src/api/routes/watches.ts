import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { checkAddress } from '#adapters/network/address-guard.ts';
import { chooseWatchedCalls } from '#core/reports/watch/choose-calls.ts';
import { incident } from '#core/reports/watch/incident.ts';
import { mostWatchedCalls, pastVisit, watchedCall, watchRecord } from '#core/reports/watch/record.ts';
import { effectOfTool } from '#core/catalog/effect.ts';
import { toolNameWithoutServer } from '#core/catalog/tool.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import {
  describeCreatedResponse,
  describeJsonBody,
  describeJsonResponse,
  idParams,
  makeEndpoint,
} from '../endpoint.ts';
import { newId } from '../ids.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireOwnedObject } from '../owned.ts';
import { makePageFromItemsAndOneMore, pageQuery, pageSchema } from '../pages.ts';
import { bodyProblems, describeProblemResponses, refusal, unwrap } from '../problem.ts';
import { encryptOrRefuse } from '../secrets.ts';
import { runWatch, sendDueMessages, webhookContext } from '../watching/run-watch.ts';
import { newWebhookSecret } from '../watching/sign-message.ts';

const record = documented(watchRecord, 'Watch');
const shownVisits = 120;
/** Each makes requests for ever. */
const mostWatches = 200;

const newWatch = documented(
  z.strictObject({
    server: documented(z.string().max(100), { description: 'The id of a registered server, `srv_...`' }),
    everyHours: documented(z.number().min(1).max(168).default(24), { description: 'Hours from one visit to the next' }),
    hold: documented(z.boolean().default(false), {
      description:
        'Whether changed definitions are an incident until somebody accepts them; otherwise they are told once, and count from then on',
    }),
    public: documented(z.boolean().default(false), {
      description: 'Whether the page, the badge and the feed of the watch need no key',
    }),
    webhook: documented(z.string().max(2_000).optional(), {
      description:
        'Where messages go: one when an incident begins, and one when it is over, signed as Standard Webhooks has it. The secret is in the answer, once.',
    }),
    agents: documented(
      z.strictObject({ evaluation: z.string().max(100), everyDays: z.number().min(1).max(90).default(7) }).optional(),
      {
        description:
          'An evaluation of your workspace whose agents work on the same units again and again, within its budget; they are an incident once they succeed less often.',
      },
    ),
    calls: documented(z.array(watchedCall).max(mostWatchedCalls).optional(), {
      description:
        'Calls that each visit repeats, of tools that only read; without them, calls are made from the schemas. A lock file has such calls.',
    }),
  }),
  'NewWatch',
);

const createWatch = makeEndpoint(
  {
    method: 'post',
    path: '/v1/watches',
    tags: ['watches'],
    summary: 'Watch a server: be told when what it offers, or how it answers, has changed',
    description:
      'Each visit lists the tools and repeats calls of those that only read. What is usual is learnt for seven visits, stable values for three weeks; then what changed for good is found, with a bound on false alarms.',
    middleware: [admitCallerWithScope('run')],
    request: { body: describeJsonBody(newWatch) },
    responses: {
      201: describeCreatedResponse(
        'The watch, with the secret that signs its messages; null without a webhook',
        z.object({ watch: record, secret: z.string().nullable() }),
      ),
      ...describeProblemResponses(
        ...bodyProblems,
        'not-found',
        'server-not-connected',
        'address-forbidden',
        'private-server',
      ),
    },
  },
  async (c) => {
    const given = c.req.valid('json');
    const { services, caller } = c.var;
    const { settings } = services;
    const { server, tools } = unwrap(
      await services.object('workspace', caller.workspace).readServerWithTools(given.server),
    );
    if (server.url === null)
      throw refusal('server-not-connected', `${server.name} is only described: there is nothing to visit`);
    if (given.public && server.private)
      throw refusal('private-server', `${server.name} is private: nothing of it is shown without a key`);
    const listed = await services.object('workspace', caller.workspace).listResourcesOfKind('watch', '', mostWatches);
    if (listed.length === mostWatches)
      throw refusal('invalid-request', `a workspace has ${mostWatches} watches at most; remove one first`);
    const calls = given.calls ?? chooseWatchedCalls(tools);
    for (const [index, { tool }] of calls.entries()) {
      const found = tools.find(({ name }) => toolNameWithoutServer(name) === tool);
      if (found === undefined) throw refusal('invalid-request', `calls.${index}: ${server.name} lists no tool ${tool}`);
      if (effectOfTool(found) !== 'reads')
        throw refusal('invalid-request', `calls.${index}: ${tool} does not only read; a watch repeats no such calls`);
    }
    const { agents = null } = given;
    if (agents !== null)
      unwrap(await (await requireOwnedObject(c, 'evaluation', agents.evaluation)).rejudging.describeToRepeat());
    const address = given.webhook === undefined ? null : checkWebhookOrRefuse(c, given.webhook);
    const now = new Date();
    const id = newId('wch', now);
    const secret = address === null ? null : newWebhookSecret();
    const webhook =
      address === null || secret === null
        ? null
        : { url: address, secret: await encryptOrRefuse(settings, secret, webhookContext(id)) };
    const { everyHours, hold, public: isPublic } = given;
    const config = {
      server: { id: server.id, name: server.name },
      workspace: caller.workspace,
      createdAt: now.toISOString(),
      everyHours,
      hold,
      public: isPublic,
      webhook,
      agents,
    };
    const dueAt = now.getTime();
    const watch = await services.object('watch', id).create(id, config, calls, dueAt);
    const { workspace, createdAt } = config;
    await services
      .object('workspace', workspace)
      .addResource('watch', { id, object: id, json: JSON.stringify({ createdAt }) });
    await services.directory.setWatchDue(id, dueAt);
    return c.json({ watch, secret }, 201, { Location: `/v1/watches/${id}` });
  },
);

function checkWebhookOrRefuse(c: Context<ApiEnv>, webhook: string): string {
  const address = checkAddress(webhook, { allowLocal: c.var.services.settings.ALLOW_LOCAL_SERVERS });
  if (!address.ok) throw refusal('address-forbidden', `webhook: ${address.problem.detail}`);
  return address.value.href;
}

const listWatches = makeEndpoint(
  {
    method: 'get',
    path: '/v1/watches',
    tags: ['watches'],
    summary: 'List the watches',
    middleware: [admitCallerWithScope('read')],
    request: { query: pageQuery },
    responses: { 200: describeJsonResponse('A page of watches', pageSchema(record)), ...describeProblemResponses() },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const { services, caller } = c.var;
    const read = await services.object('workspace', caller.workspace).listResourcesOfKind('watch', cursor, limit + 1);
    const page = makePageFromItemsAndOneMore(read, limit, ({ id }) => id);
    const records = await Promise.all(page.items.map(({ id }) => services.object('watch', id).get(id)));
    return c.json({ ...page, items: records.flatMap((each) => (each.ok ? [each.value] : [])) }, 200);
  },
);

const getWatch = makeEndpoint(
  {
    method: 'get',
    path: '/v1/watches/{id}',
    tags: ['watches'],
    summary: 'Read a watch, its latest incidents and its latest visits',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse(
        'The watch',
        z.object({
          watch: record,
          incidents: z.array(documented(incident, 'Incident')),
          visits: z.array(documented(pastVisit, 'Visit')),
        }),
      ),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const watch = await requireOwnedObject(c, 'watch', id);
    const [read, incidents, visits] = await Promise.all([
      watch.get(id),
      watch.listIncidents(Number.MAX_SAFE_INTEGER, 50),
      watch.listVisits(shownVisits),
    ]);
    return c.json({ watch: unwrap(read), incidents, visits }, 200);
  },
);

const visitNow = makeEndpoint(
  {
    method: 'post',
    path: '/v1/watches/{id}/visits',
    tags: ['watches'],
    summary: 'Visit the server now',
    description:
      'The visit counts like any other. Visits that follow each other closely see the same disturbance, so many of them within a short time weaken the bound on false alarms.',
    middleware: [admitCallerWithScope('run')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse('The watch after the visit', record),
      ...describeProblemResponses('not-found', 'wrong-state'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const watch = await requireOwnedObject(c, 'watch', id);
    if (!(await runWatch(c.var.services, id, true))) throw refusal('wrong-state', 'a visit is under way');
    return c.json(unwrap(await watch.get(id)), 200);
  },
);

const acceptChange = makeEndpoint(
  {
    method: 'post',
    path: '/v1/watches/{id}/incidents/{number}/accept',
    tags: ['watches'],
    summary: 'Take the server as it is now: end an incident',
    description: 'New definitions count from now on; what is usual for the calls of its tools is learnt again.',
    middleware: [admitCallerWithScope('run')],
    request: { params: idParams.extend({ number: z.coerce.number().int().min(1) }) },
    responses: { 200: describeJsonResponse('The watch', record), ...describeProblemResponses('not-found') },
  },
  async (c) => {
    const { id, number } = c.req.valid('param');
    const watch = unwrap(await (await requireOwnedObject(c, 'watch', id)).accept(id, number, Date.now()));
    await sendDueMessages(c.var.services, id);
    return c.json(watch, 200);
  },
);

const testWebhook = makeEndpoint(
  {
    method: 'post',
    path: '/v1/watches/{id}/test',
    tags: ['watches'],
    summary: 'Send a message to the webhook that says only that messages arrive',
    middleware: [admitCallerWithScope('run')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse('The watch; `undelivered` says why the message was not taken', record),
      ...describeProblemResponses('not-found', 'invalid-request'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const watch = await requireOwnedObject(c, 'watch', id);
    unwrap(await watch.addTestMessage(id, Date.now()));
    await sendDueMessages(c.var.services, id);
    return c.json(unwrap(await watch.get(id)), 200);
  },
);

const pauseEndpoints = (['pause', 'resume'] as const).map((verb) =>
  makeEndpoint(
    {
      method: 'post',
      path: `/v1/watches/{id}/${verb}`,
      tags: ['watches'],
      summary: verb === 'pause' ? 'Make no visits until the watch is resumed' : 'Make visits again',
      middleware: [admitCallerWithScope('run')],
      request: { params: idParams },
      responses: { 200: describeJsonResponse('The watch', record), ...describeProblemResponses('not-found') },
    },
    async (c) => {
      const { id } = c.req.valid('param');
      const watch = await requireOwnedObject(c, 'watch', id);
      const moved = unwrap(await watch.setPaused(id, verb === 'pause'));
      await c.var.services.directory.setWatchDue(id, await watch.nextDueAt());
      return c.json(moved, 200);
    },
  ),
);

const removeWatch = makeEndpoint(
  {
    method: 'delete',
    path: '/v1/watches/{id}',
    tags: ['watches'],
    summary: 'End a watch and delete what it knows',
    middleware: [admitCallerWithScope('run')],
    request: { params: idParams },
    responses: { 204: { description: 'The watch is gone' }, ...describeProblemResponses('not-found') },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const watch = await requireOwnedObject(c, 'watch', id);
    await c.var.services.directory.setWatchDue(id, null);
    await watch.remove();
    await c.var.services.object('workspace', c.var.caller.workspace).removeResource('watch', id);
    return c.body(null, 204);
  },
);

export const watchEndpoints: readonly Endpoint[] = [
  createWatch,
  listWatches,
  getWatch,
  visitNow,
  acceptChange,
  testWebhook,
  ...pauseEndpoints,
  removeWatch,
];
