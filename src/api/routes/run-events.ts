import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { runEvent } from '#core/events.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { requires } from '../middleware/authenticate.ts';
import { problems, refusal } from '../problem.ts';
import { sightOf } from './explorations/sight.ts';

/** The endpoint that tells what a run of some kind, or a knowledge index, does while it does it. */
export const runEvents = (kind: {
  readonly resource: 'explorations' | 'evaluations' | 'knowledge' | 'submissions';
  /** Where such a run is, with its parameters. */
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
    description: `Server-sent events: each has the event number as \`id\`, the type as \`event\`, a RunEvent as \`data\`. A client that comes back with \`Last-Event-ID\` gets everything after it. A comment line every 15 seconds keeps the connection alive. After 20 minutes the stream ends with the comment "come back", to be taken up with \`Last-Event-ID\`; a browser does so by itself. An event \`withheld\` stands for one that the key may not see. ${kind.end}`,
    middleware: [requires('read')] as const,
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
      200: { description: 'The stream', content: { 'text/event-stream': { schema: runEvent.openapi('RunEvent') } } },
      204: { description: 'It is over, and nothing follows after `Last-Event-ID`: do not come back' },
      ...problems('not-found'),
    },
  });
  return (api) =>
    void api.openapi(route, async (c) => {
      const run = await kind.find(c, c.req.valid('param'));
      const after = c.req.valid('header')['last-event-id'] ?? '0';
      const query = new URLSearchParams({ after, sight: sightOf(c) });
      const stream = await run.fetch(
        new Request(`http://run/events?${query.toString()}`, { signal: c.req.raw.signal }),
      );
      if (!stream.ok) throw refusal('not-found', 'there are no such events');
      // The headers of a fetched response cannot be added to.
      return new Response(stream.body, stream);
    });
};
