import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';

/** A real MCP server over HTTP whose tools a test changes while it runs. */
export interface ChangingServer {
  readonly url: string;
  /** What it does now. */
  readonly now: { description: string; empty: boolean; delayMs: number };
  /** Calls so far. */
  calls(): number;
  close(): Promise<void>;
}

const request = z.looseObject({ id: z.union([z.string(), z.number()]).optional(), method: z.string() });

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(z.instanceof(Buffer).parse(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** Starts it on a free port. It has one tool, which lists two orders with a clock beside them. */
export async function startChangingServer(): Promise<ChangingServer> {
  const now = { description: 'Lists the open orders.', empty: false, delayMs: 0 };
  let calls = 0;
  const answerOf = async (method: string): Promise<unknown> => {
    if (method === 'initialize')
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'orders', version: '1.0.0' },
      };
    if (method === 'tools/list')
      return {
        tools: [
          {
            name: 'list_orders',
            description: now.description,
            inputSchema: { type: 'object', properties: {} },
            annotations: { readOnlyHint: true },
          },
        ],
      };
    if (method !== 'tools/call') return null;
    calls += 1;
    await new Promise((resolve) => setTimeout(resolve, now.delayMs));
    const orders = [
      { id: 'o-1', customer: 'Vega', total: 12.5 },
      { id: 'o-2', customer: 'Deneb', total: 40 },
    ];
    const value = { orders: now.empty ? [] : orders, at: new Date().toISOString() };
    return { content: [{ type: 'text', text: JSON.stringify(value) }] };
  };
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      if (incoming.method !== 'POST') return void outgoing.writeHead(405).end();
      const { id, method } = request.parse(JSON.parse(await readBody(incoming)));
      if (id === undefined) return void outgoing.writeHead(202).end();
      const result = await answerOf(method);
      const body = result === null ? { error: { code: -32_601, message: 'Method not found' } } : { result };
      outgoing.writeHead(200, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    now,
    calls: () => calls,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A message that a webhook got. */
export interface TakenMessage {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
}

/** Starts a webhook on a free port, which refuses the first message. */
export async function startWebhook(): Promise<{
  url: string;
  taken: TakenMessage[];
  refused: TakenMessage[];
  close(): Promise<void>;
}> {
  const [taken, refused]: [TakenMessage[], TakenMessage[]] = [[], []];
  const server = createServer((incoming, outgoing) => {
    void readBody(incoming).then((body) => {
      const header = (name: string): string => String(incoming.headers[name] ?? '');
      const message = {
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
        body,
      };
      (refused.length === 0 ? refused : taken).push(message);
      outgoing.writeHead(refused.length === 1 && taken.length === 0 ? 503 : 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}/hook`,
    taken,
    refused,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
