import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ApiEnv, Endpoint } from '../../context.ts';
import { openProblems, refusal, unwrap } from '../../problem.ts';

const path = '/mcp/attempts/{id}';
const params = z.object({ id: z.string().max(100) });
const attemptId = /^att_[a-z0-9]{10,60}$/;

const route = createRoute({
  method: 'post',
  path,
  tags: ['attempts'],
  summary: 'The MCP endpoint of an attempt: a recording gateway',
  description:
    "An MCP server over Streamable HTTP, without sessions of its own: it lists the mounted tools as their servers describe them, forwards calls, relays progress and errors unchanged, and writes the attempt's trace. It wants the token that came with the claim, which opens nothing else. There is no standing stream: GET and DELETE answer 405.",
  request: { params, body: { content: { 'application/json': { schema: z.unknown() } } } },
  security: [{ attemptToken: [] }],
  responses: {
    200: {
      description: 'JSON-RPC, as one message or as a stream of events',
      content: { 'text/event-stream': { schema: z.string() }, 'application/json': { schema: z.unknown() } },
    },
    202: { description: 'A notification was taken' },
    ...openProblems('unauthorized', 'not-found', 'attempt-over', 'body-too-large', 'unsupported-media-type'),
  },
});

/** Any MCP client comes here; the attempt itself decides on the token. */
export const recordingGateway: Endpoint = (api) => {
  const handle = async (c: Context<ApiEnv>, id: string): Promise<Response> => {
    const presented = /^Bearer +(\S{1,200})$/i.exec(c.req.header('authorization') ?? '')?.[1];
    if (presented === undefined)
      throw refusal('unauthorized', 'send the attempt\'s token as "Authorization: Bearer <token>"');
    if (!attemptId.test(id)) throw refusal('not-found', `there is no attempt ${id}`);
    const attempt = c.var.services.attempt(id);
    unwrap(await attempt.admit(presented));
    return attempt.fetch(c.req.raw);
  };
  api.openapi(route, (c) => handle(c, c.req.valid('param').id));
  api.on(['GET', 'DELETE'], '/mcp/attempts/:id', (c) => handle(c, c.req.param('id')));
  api.openAPIRegistry.registerComponent('securitySchemes', 'attemptToken', { type: 'http', scheme: 'bearer' });
};
