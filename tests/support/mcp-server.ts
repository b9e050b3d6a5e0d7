import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ElicitResultSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';

/** A tool of a test server. Its schemas may be invalid. */
export interface TestTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
  readonly handle?: (
    args: Record<string, unknown>,
    progress: (done: number) => Promise<void>,
    ask: (message: string, field: string) => Promise<unknown>,
  ) => Promise<CallToolResult>;
}

/** A resource of a test server. */
export interface TestResource {
  readonly uri: string;
  readonly name: string;
  readonly mimeType?: string;
  readonly text: string;
}

/** What the server does with a message instead of answering it. */
export type Trick =
  /** `times`: how often; for ever if absent. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly times?: number;
    }
  | { readonly kind: 'hang' }
  | { readonly kind: 'cut'; readonly when: 'before-headers' | 'mid-stream' | 'mid-json' }
  | { readonly kind: 'html' | 'broken-json' | 'broken-event' | 'no-rpc' }
  /** A valid result for a request that nobody made; or none, as to a notification. */
  | { readonly kind: 'wrong-id' | 'accepted' }
  | { readonly kind: 'redirect'; readonly to: string; readonly status?: number }
  | { readonly kind: 'rpc-error'; readonly code: number; readonly message: string; readonly data?: unknown }
  /** A raw result, valid or not. */
  | { readonly kind: 'result'; readonly result: unknown };

export interface TestServerOptions {
  readonly tools?: readonly TestTool[];
  /** Without any, the server does not offer resources. */
  readonly resources?: readonly TestResource[];
  readonly pageSize?: number;
  readonly instructions?: string;
  /** Returns the same cursor forever. */
  readonly endlessCursor?: boolean;
  /** Answers with JSON bodies, not event streams. */
  readonly json?: boolean;
  /** Tricks by the method of the message. */
  readonly tricks?: Readonly<Record<string, Trick>>;
}

export interface TestRequest {
  readonly http: string;
  /** Method of the JSON-RPC message, if there was one. */
  readonly rpc: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface TestMcpServer {
  /** Where it listens, on loopback. */
  readonly url: string;
  readonly requests: readonly TestRequest[];
  /** The `traceparent` of each call, in order. */
  readonly traceparents: readonly (string | undefined)[];
  readonly openSessions: () => number;
  /** Forgets all sessions, like a restart. */
  forget(): void;
  setTrick(method: string, trick: Trick | undefined): void;
  close(): Promise<void>;
}

const echo: TestTool = {
  name: 'echo',
  description: 'Says what it is told',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  handle: async ({ text }) => ({ content: [{ type: 'text', text: String(text) }] }),
};

/** A real MCP server over Streamable HTTP in this process that can misbehave. */
export async function startTestMcpServer(options: TestServerOptions = {}): Promise<TestMcpServer> {
  const tools = options.tools ?? [echo];
  const tricks = new Map(Object.entries(options.tricks ?? {}));
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const requests: TestRequest[] = [];
  const traceparents: (string | undefined)[] = [];

  async function openSession(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: options.json ?? false,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await mcpServer(tools, options).connect(transport);
    return transport;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const message = await readMessage(request);
    requests.push({ http: request.method ?? '', rpc: message?.method, headers: request.headers });
    if (message?.method === 'tools/call') traceparents.push(message.params?._meta?.traceparent);
    const trick = tricks.get(message?.method ?? request.method ?? '');
    if (trick?.kind === 'status' && trick.times !== undefined) {
      const method = message?.method ?? request.method ?? '';
      if (trick.times > 1) tricks.set(method, { ...trick, times: trick.times - 1 });
      else tricks.delete(method);
    }
    if (trick !== undefined) return play(trick, message?.id, response);
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (id !== undefined && known === undefined) return void response.writeHead(404).end('no such session');
    const transport = known ?? (await openSession());
    await transport.handleRequest(request, response, message);
  }

  const http = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  return {
    url: `http://127.0.0.1:${isAddress(address) ? address.port : 0}/mcp`,
    requests,
    traceparents,
    openSessions: () => sessions.size,
    forget: () => sessions.clear(),
    setTrick: (method, trick) => void (trick === undefined ? tricks.delete(method) : tricks.set(method, trick)),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

const isAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

function mcpServer(tools: readonly TestTool[], options: TestServerOptions): Server {
  const { resources } = options;
  const capabilities = { tools: {}, ...(resources === undefined ? {} : { resources: {} }) };
  const server = new Server(
    { name: 'test-server', version: '1.2.3' },
    { capabilities, ...(options.instructions === undefined ? {} : { instructions: options.instructions }) },
  );
  if (resources !== undefined) offerResources(server, resources);
  const listed = tools.map(({ handle: _handle, ...tool }) => ({ inputSchema: { type: 'object' }, ...tool }));
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const from = Number(params?.cursor ?? 0);
    const pageSize = options.pageSize ?? listed.length;
    const page = { tools: JSON.parse(JSON.stringify(listed.slice(from, from + pageSize))) };
    if (options.endlessCursor === true) return { tools: [], nextCursor: '0' };
    return from + pageSize < listed.length ? { ...page, nextCursor: String(from + pageSize) } : page;
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool?.handle === undefined) throw new McpError(ErrorCode.InvalidParams, `unknown tool ${params.name}`);
    const progressToken = extra._meta?.progressToken ?? 'none';
    const tellProgress = (progress: number) =>
      extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 10 } });
    const ask = (message: string, field: string) => {
      const requestedSchema = { type: 'object' as const, properties: { [field]: { type: 'string' as const } } };
      const asked = { mode: 'form' as const, message, requestedSchema: { ...requestedSchema, required: [field] } };
      return extra.sendRequest({ method: 'elicitation/create', params: asked }, ElicitResultSchema);
    };
    return tool.handle(params.arguments ?? {}, tellProgress, ask);
  });
  return server;
}

function offerResources(server: Server, resources: readonly TestResource[]): void {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources.map(({ text: _text, ...listed }) => listed),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
    const found = resources.find(({ uri }) => uri === params.uri);
    if (found === undefined) throw new McpError(ErrorCode.InvalidParams, `unknown resource ${params.uri}`);
    return { contents: [{ uri: found.uri, text: found.text }] };
  });
}

interface Message {
  readonly method?: string;
  readonly id?: number;
  readonly params?: { readonly _meta?: { readonly traceparent?: string } };
}

async function readMessage(request: IncomingMessage): Promise<Message | undefined> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}

function play(trick: Trick, id: number | undefined, response: ServerResponse): void {
  const json = { 'content-type': 'application/json' };
  const events = { 'content-type': 'text/event-stream' };
  switch (trick.kind) {
    case 'status':
      return void response.writeHead(trick.status, { ...json, ...trick.headers }).end('{"secret":"of the server"}');
    case 'hang':
      return;
    case 'cut':
      if (trick.when === 'before-headers') return void response.destroy();
      response
        .writeHead(200, trick.when === 'mid-json' ? json : events)
        .write(trick.when === 'mid-json' ? '{"jso' : ': hi\n\n');
      return void setTimeout(() => response.destroy(), 20);
    case 'html':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
    case 'broken-json':
      return void response.writeHead(200, json).end('{"jsonrpc": "2.0", "id": ');
    case 'broken-event':
      return void response.writeHead(200, events).end('event: message\ndata: {"jsonrpc": \n\n');
    case 'no-rpc':
      return void response.writeHead(200, json).end('{"hello": "world"}');
    case 'wrong-id':
      return void response.writeHead(200, json).end('{"jsonrpc": "2.0", "id": 424242, "result": {"content": []}}');
    case 'accepted':
      return void response.writeHead(202).end();
    case 'redirect':
      return void response.writeHead(trick.status ?? 307, { location: trick.to }).end();
    case 'rpc-error': {
      const { kind: _kind, ...error } = trick;
      return void response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    }
    case 'result':
      return void response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result: trick.result }));
  }
}
