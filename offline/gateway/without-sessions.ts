import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { CallOptions } from './child.ts';
import type { ServedServer } from './served.ts';

/** The tools part of what a server answers to `initialize`. */
const introduction = z.looseObject({
  serverInfo: z.looseObject({ name: z.string(), version: z.string() }),
  instructions: z.string().optional(),
});

const params = z.looseObject({});
const result = z.record(z.string(), z.unknown());

/** Answers the requests to a server in MCP 2026-07-28 alone, which has no sessions; for servers without state. */
export type EndpointWithoutSessions = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Makes the endpoint of a server. It refuses clients that begin with `initialize`. */
export function makeEndpointWithoutSessions(served: ServedServer): EndpointWithoutSessions {
  const handler = createMcpHandler(() => makeModernServer(served), { legacy: 'reject' });
  const listener = getRequestListener((request) => handler.fetch(request));
  return async (request, response) => {
    await listener(request, response);
  };
}

async function makeModernServer(served: ServedServer): Promise<Server> {
  const { serverInfo, instructions } = introduction.parse(await served.getInitializeResult());
  const server = new Server(serverInfo, {
    capabilities: { tools: {} },
    ...(instructions === undefined ? {} : { instructions }),
  });
  server.setRequestHandler('tools/list', { params }, async (asked) => result.parse(await ask('tools/list', asked)));
  server.setRequestHandler('tools/call', { params }, async (asked, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken;
    const onProgress: CallOptions['onProgress'] = (progress) => {
      if (token === undefined) return;
      void mcpReq.notify({
        method: 'notifications/progress',
        params: { progress: 0, ...progress, progressToken: token },
      });
    };
    return result.parse(await ask('tools/call', asked, token === undefined ? {} : { onProgress }));
  });
  return server;

  /** Asks the child that all requests share; its errors keep their code. */
  async function ask(method: string, asked: Record<string, unknown>, options: CallOptions = {}): Promise<unknown> {
    const child = await served.children.takeChild();
    const answer = await child.sendRequest(method, asked, options);
    if ('result' in answer) return answer.result;
    throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
  }
}
