import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ApiEnv, Endpoint } from '../../context.ts';
import { openProblems, refusal, unwrap } from '../../problem.ts';
import { attemptNamed } from './find.ts';

const path = '/mcp/attempts/{id}';
const params = z.object({ id: z.string().max(100) });

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
      content: { 'text/event-stream': { schema: z.unknown() }, 'application/json': { schema: z.unknown() } },
    },
    202: { description: 'A notification was taken' },
    ...openProblems('unauthorized', 'attempt-over', 'body-too-large', 'unsupported-media-type'),
  },
});

/** Any MCP client comes here; the attempt itself decides on the token. */
export const recordingGateway: Endpoint = (api) => {
  const handle = async (c: Context<ApiEnv>, id: string): Promise<Response> => {
    const presented = /^Bearer +(\S{1,200})$/i.exec(c.req.header('authorization') ?? '')?.[1];
    if (presented === undefined)
      throw refusal('unauthorized', 'send the attempt\'s token as "Authorization: Bearer <token>"');
    const attempt = await attemptNamed(c, id, presented);
    // As of an attempt that there is with a token that is not its own: nobody learns which there are.
    if (attempt === null) throw refusal('unauthorized', 'this is not the token of this attempt');
    unwrap(await attempt.admit(presented));
    const answer = await attempt.fetch(c.req.raw);
    // The headers of a fetched response cannot be added to.
    return new Response(answer.body, answer);
  };
  // Documented, but not validated by the document: the body belongs to the MCP server, which reads it itself.
  api.openAPIRegistry.registerPath({ ...route, path });
  api.on(['POST', 'GET', 'DELETE'], '/mcp/attempts/:id', (c) => handle(c, c.req.param('id')));
  api.openAPIRegistry.registerComponent('securitySchemes', 'attemptToken', { type: 'http', scheme: 'bearer' });
};
