import { documented } from '#api/documented.ts';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { privateUnits, unitSightOfCaller } from '#core/access/access.ts';
import { runEvent } from '#core/reports/events.ts';
import type { Result } from '#core/values/result.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { describeJsonResponse } from '../endpoint.ts';
import { joinEventStream } from '../joined-event-stream.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { makePageFromItemsAndOneMore, pageSchema, pageQuery } from '../pages.ts';
import { describeProblemResponses, refusal, unwrap } from '../problem.ts';
import type { ObjectKind } from '../services.ts';

const listed = z.object({ id: z.string(), createdAt: z.string() });
const stored = listed.omit({ id: true });
const datedQuery = pageQuery.extend({
  order: documented(z.enum(['oldest', 'latest']).default('oldest'), { description: 'Which come first' }),
});

/** Builds the endpoint that lists resources of which a workspace knows only the id and the date. */
export const makeDatedListEndpoint = (kind: {
  readonly kind: ObjectKind;
  readonly summary: string;
  readonly item: 'ListedRun' | 'RecordingSummary';
  readonly description: string;
}): Endpoint => {
  const route = createRoute({
    method: 'get',
    path: `/v1/${kind.kind}s`,
    tags: [`${kind.kind}s`],
    summary: kind.summary,
    middleware: [admitCallerWithScope('read')],
    request: { query: datedQuery },
    responses: {
      200: describeJsonResponse(kind.description, pageSchema(documented(listed, kind.item))),
      ...describeProblemResponses(),
    },
  });
  return (api) =>
    void api.openapi(route, async (c) => {
      const { limit, cursor, order } = c.req.valid('query');
      const workspace = c.var.services.object('workspace', c.var.caller.workspace);
      const read = await (order === 'latest'
        ? workspace.listLatestResourcesOfKind(kind.kind, cursor, limit + 1)
        : workspace.listResourcesOfKind(kind.kind, cursor, limit + 1));
      const items = read.map(({ id, json }) => ({ id, ...stored.parse(JSON.parse(json)) }));
      return c.json(
        makePageFromItemsAndOneMore(items, limit, ({ id }) => id),
        200,
      );
    });
};

const verbs = ['pause', 'resume', 'cancel'] as const;
type Verb = (typeof verbs)[number];

/** A run as these endpoints move it; each verb may be said again. */
type Controllable<Record> = { readonly [V in Verb]: () => Promise<Result<Record>> };

/** Builds the endpoints that pause, resume and cancel a kind of run. */
export const makeControlEndpoints = <Record extends object>(kind: {
  readonly resource: 'explorations' | 'evaluations';
  /** The path of such a run, with its parameters. */
  readonly path: `/v1/${string}`;
  readonly params: z.ZodObject;
  readonly schema: z.ZodType<Record>;
  readonly find: (c: Context<ApiEnv>, params: unknown) => Promise<Controllable<Record>>;
  readonly about: { readonly [V in Verb]: { readonly summary: string; readonly description: string } };
}): readonly Endpoint[] =>
  verbs.map((verb): Endpoint => {
    const route = createRoute({
      method: 'post',
      path: `${kind.path}/${verb}`,
      tags: [kind.resource],
      ...kind.about[verb],
      middleware: [admitCallerWithScope('run')],
      request: { params: kind.params },
      responses: {
        200: describeJsonResponse('The run', kind.schema),
        ...describeProblemResponses('not-found', 'wrong-state', 'unsupported-media-type', 'body-too-large'),
      },
    });
    return (api) =>
      void api.openapi(route, async (c) => {
        const run = await kind.find(c, c.req.valid('param'));
        return c.json(unwrap(await run[verb]()), 200);
      });
  });

/** Builds the endpoint that streams the events of a kind of run, or of a knowledge index. */
export const makeEventsEndpoint = (kind: {
  readonly resource: 'explorations' | 'evaluations' | 'knowledge' | 'submissions';
  /** The path of such a run, with its parameters. */
  readonly path: `/v1/${string}`;
  readonly params: z.ZodObject;
  readonly summary: string;
  /** When the stream ends, in a sentence. */
  readonly end: string;
  readonly find: (
    c: Context<ApiEnv>,
    params: unknown,
  ) => Promise<{ readonly fetch: (request: Request) => Promise<Response> }>;
}): Endpoint => {
  const route = createRoute({
    method: 'get',
    path: `${kind.path}/events`,
    tags: [kind.resource],
    summary: kind.summary,
    description: `Server-sent events: each has the event number as \`id\`, the type as \`event\`, a RunEvent as \`data\`. A client that comes back with \`Last-Event-ID\` gets everything after it. A comment line every 15 seconds keeps the connection alive. After 20 minutes the stream ends with the comment "come back", to be taken up with \`Last-Event-ID\`; a browser does so by itself. A stream that is cut is taken up in the same way. An event \`withheld\` stands for one that the key may not see. ${kind.end}`,
    middleware: [admitCallerWithScope('read')],
    request: {
      params: kind.params,
      headers: z.object({
        'last-event-id': z
          .string()
          .regex(/^\d{1,15}$/, 'the id of an event')
          .optional(),
      }),
    },
    responses: {
      200: {
        description: 'The stream',
        content: { 'text/event-stream': { schema: documented(runEvent, 'RunEvent') } },
      },
      204: { description: 'It is over, and nothing follows after `Last-Event-ID`: do not come back' },
      ...describeProblemResponses('not-found'),
    },
  });
  return (api) =>
    void api.openapi(route, async (c) => {
      const run = await kind.find(c, c.req.valid('param'));
      const after = c.req.valid('header')['last-event-id'] ?? '0';
      const sight = unitSightOfCaller(c.var.caller);
      const stream = await joinEventStream({
        after,
        ask: (parameters) => {
          const query = new URLSearchParams({ ...parameters, sight });
          return run.fetch(new Request(`http://run/events?${query.toString()}`, { signal: c.req.raw.signal }));
        },
        waitUntil: (end) => c.executionCtx.waitUntil(end),
      });
      if (stream.status === 403) throw refusal('forbidden', privateUnits);
      if (!stream.ok) throw refusal('not-found', 'there are no such events');
      // The headers of a fetched response are immutable.
      return new Response(stream.body, stream);
    });
};
