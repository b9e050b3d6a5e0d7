import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { modernVersion } from '#core/catalog/protocol-version.ts';

/** MCP servers whose tools answer immediately, all in one process; all tools' schemas have the same size. */
export interface StubServers {
  /** URL of server `n`, counted from 0. */
  urlOf(n: number): string;
  /** Requests that were answered. */
  requests(): number;
  close(): Promise<void>;
}

const message = z.object({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string(),
  params: z.looseObject({ protocolVersion: z.string().optional() }).optional(),
});

export const listStubToolNames = (server: number, tools: number): string[] =>
  Array.from({ length: tools }, (_, n) => `step-${server}-${String(n).padStart(2, '0')}`);

export interface StubServerOptions {
  readonly servers: number;
  readonly toolsPerServer: number;
  /** What every tool says of itself, without its name; short by default. */
  readonly definition?: { readonly description: string; readonly inputSchema: object };
  /** Whether they keep sessions, which cost a client one more request to end. */
  readonly sessions?: boolean;
  /** Whether they speak the revision without `initialize` alone. */
  readonly modern?: boolean;
}

const shortDefinition = {
  description: 'Takes a text and gives one back.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

export async function startStubServers(options: StubServerOptions): Promise<StubServers> {
  const { sessions = false, modern = false, definition = shortDefinition } = options;
  let requests = 0;
  const listed = Array.from({ length: options.servers }, (_, server) =>
    listStubToolNames(server, options.toolsPerServer).map((name) => ({
      name,
      ...definition,
      annotations: { readOnlyHint: true },
    })),
  );
  const server = createHttpServer((request, response) => {
    requests += 1;
    if (sessions) response.setHeader('mcp-session-id', 'stub');
    return answerStubRequest(request, response, { listed, modern });
  });
  const port = await listenOnFreePort(server);
  return {
    urlOf: (n) => `http://127.0.0.1:${port}/${n}/mcp`,
    requests: () => requests,
    close: () => closeServer(server),
  };
}

async function answerStubRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { listed, modern }: { readonly listed: readonly unknown[][]; readonly modern: boolean },
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
    return;
  }
  const { id, method, params } = message.parse(JSON.parse(await readBody(request)));
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const server = Number(request.url?.split('/')[1] ?? '0');
  const capabilities = { tools: {} };
  const opening = modern
    ? { 'server/discover': { supportedVersions: [modernVersion], capabilities } }
    : {
        initialize: {
          protocolVersion: params?.protocolVersion ?? '2025-06-18',
          capabilities,
          serverInfo: { name: `stub-${server}`, version: '1' },
        },
      };
  const results: Record<string, object> = {
    ...opening,
    'tools/list': { tools: listed[server] ?? [], ...(modern ? { ttlMs: 0, cacheScope: 'private' } : {}) },
    'tools/call': { content: [{ type: 'text', text: 'done' }] },
  };
  const result = results[method];
  if (result === undefined)
    return sendJson(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } });
  sendJson(response, { jsonrpc: '2.0', id, result: modern ? { ...result, resultType: 'complete' } : result });
}

/** Makes a server of `answer`. A request whose sender is killed before all of it has arrived gets no answer. */
export function createHttpServer(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Server {
  return createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      if (request.complete) throw error;
    });
  });
}

export function sendJson(response: ServerResponse, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.byteLength }).end(body);
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(z.instanceof(Buffer).parse(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

export function listenOnFreePort(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

export function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
