import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { answerWithOfferedTools, type OfferedTool } from '#adapters/mcp/offered-server.ts';
import { isTrustedOrigin } from '#core/reports/offered-tools/trusted-origin.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { instructions, unboundTools } from '../offered-tools/index.ts';
import { makeOwnApi } from '../offered-tools/own-api.ts';
import { bodyProblems, describeProblemResponses, refusal } from '../problem.ts';

const path = '/mcp';

const mcpRoute = createRoute({
  method: 'post',
  path,
  tags: ['mcp'],
  summary: 'Sextant as an MCP server',
  description:
    'An MCP server over Streamable HTTP, for clients of revisions up to 2025-11-25 and of 2026-07-28, without sessions. Its tools start, follow and read runs with the rights of the key: each asks the API itself, and each of these requests counts as one of the key. There is no standing stream: GET and DELETE answer 405. A request whose `Origin` is another site is refused.',
  request: { body: { content: { 'application/json': { schema: z.unknown() } } } },
  responses: {
    200: {
      description: 'JSON-RPC, as one message or as a stream of events',
      content: { 'text/event-stream': { schema: z.unknown() }, 'application/json': { schema: z.unknown() } },
    },
    202: { description: 'A notification was taken' },
    ...describeProblemResponses(...bodyProblems, 'origin-forbidden'),
  },
});

/** Refuses the requests of pages of other sites, such as one whose name was rebound to this machine. */
const refuseForeignOrigin = createMiddleware<ApiEnv>(async (c, next) => {
  const origin = c.req.header('origin');
  if (origin !== undefined && !isTrustedOrigin(origin, c.req.url, c.var.services.settings.PUBLIC_ORIGIN))
    throw refusal('origin-forbidden', 'the request names a page of another site as its origin');
  await next();
});

/** Returns the tools for the request that calls them. */
const bindTools = (c: Context<ApiEnv>): OfferedTool[] =>
  unboundTools.map(({ name, define, call }) => ({
    name,
    define,
    call: (args, options) => {
      const api = makeOwnApi(c.req.raw, c.var.askApi, options.signal);
      return call(args, { ...options, api, requestId: c.var.requestId });
    },
  }));

/** Documented but not validated here, because the MCP server reads the body itself. */
const addMcpEndpoint: Endpoint = (api) => {
  api.openAPIRegistry.registerPath({ ...mcpRoute, path });
  api.post(path, refuseForeignOrigin, admitCallerWithScope('read'), (c) =>
    answerWithOfferedTools(c.req.raw, bindTools(c), instructions),
  );
};

export const mcpEndpoints: readonly Endpoint[] = [addMcpEndpoint];
