import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveLocally, type LocalServer } from './serve-locally.ts';

/** The eras of MCP that a server or a client speaks: with `initialize` and sessions, without them, or both. */
export type Era = 'legacy' | 'modern' | 'dual';

export interface EraServer extends LocalServer {
  /** The methods that were asked, in order. */
  readonly asked: string[];
  /** The `traceparent` of each call, in order. */
  readonly traceparents: (string | undefined)[];
  /** The headers of the latest request. */
  latestHeaders(): Headers;
}

function makeServer(): McpServer {
  const server = new McpServer({ name: 'weather', version: '1.2.3' }, { instructions: 'Ask for the weather.' });
  const region = z.string().meta({ 'x-mcp-header': 'Region' }).optional();
  server.registerTool(
    'forecast',
    { description: 'Forecast for a city', inputSchema: z.object({ city: z.string(), region }) },
    ({ city }) => ({ content: [{ type: 'text', text: `${city}: sunny` }] }),
  );
  server.registerTool('storm', { description: 'Fails' }, () => ({
    content: [{ type: 'text', text: 'no storm in sight' }],
    isError: true,
  }));
  server.registerTool('cities', { description: 'All cities', outputSchema: z.array(z.string()) }, () => ({
    content: [{ type: 'text', text: '["Berlin"]' }],
    structuredContent: ['Berlin'],
  }));
  server.registerTool('book', { description: 'Asks before it books' }, (context) =>
    context.mcpReq.inputResponses === undefined
      ? inputRequired({
          inputRequests: {
            sure: inputRequired.elicit({
              message: 'Book it?',
              requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } } },
            }),
          },
        })
      : { content: [{ type: 'text', text: JSON.stringify(context.mcpReq.inputResponses) }] },
  );
  server.registerTool('insist', { description: 'Asks for ever' }, () =>
    inputRequired({
      inputRequests: {
        sure: inputRequired.elicit({
          message: 'Really book it?',
          requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } } },
        }),
      },
    }),
  );
  return server;
}

const sentMessage = z.object({
  method: z.string(),
  params: z.object({ _meta: z.object({ traceparent: z.string().optional() }).optional() }).optional(),
});

/** Starts a server of the second generation of the SDK: without `initialize` (`modern`), or with both (`dual`). */
export async function startEraServer(era: 'modern' | 'dual'): Promise<EraServer> {
  const handler = createMcpHandler(makeServer, { legacy: era === 'modern' ? 'reject' : 'stateless' });
  const asked: string[] = [];
  const traceparents: (string | undefined)[] = [];
  let latest = new Headers();
  const served = await serveLocally(async (request) => {
    latest = request.headers;
    const body = await request.clone().text();
    const message = body === '' ? undefined : sentMessage.parse(JSON.parse(body));
    asked.push(message?.method ?? request.method);
    if (message?.method === 'tools/call') traceparents.push(message.params?._meta?.traceparent);
    return handler.fetch(request);
  });
  return { ...served, asked, traceparents, latestHeaders: () => latest };
}
