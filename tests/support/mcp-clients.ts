import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';

export const clientEras = ['legacy', 'modern'] as const;
export type ClientEra = (typeof clientEras)[number];

/** A result of a tool as tests look at it. */
const callResult = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});
export type CallResult = z.infer<typeof callResult>;

const listedTools = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      inputSchema: z.record(z.string(), z.unknown()),
      outputSchema: z.record(z.string(), z.unknown()),
      annotations: z.record(z.string(), z.boolean()),
    }),
  ),
});

export interface TestClient {
  tools(): Promise<z.infer<typeof listedTools>['tools']>;
  call(name: string, args?: Record<string, unknown>, onProgress?: (progress: unknown) => void): Promise<CallResult>;
  close(): Promise<void>;
}

type Send = (request: Request) => Promise<Response>;

/** Connects the SDK's own client of an era, with this key; it checks what it gets against the schemas that it was told. */
export async function connectClient(era: ClientEra, send: Send, key: string): Promise<TestClient> {
  const url = new URL('http://127.0.0.1/mcp');
  const options = {
    fetch: (target: string | URL, init?: RequestInit) => send(new Request(target, init)),
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  };
  const info = { name: 'test', version: '1' };
  const client =
    era === 'legacy'
      ? new LegacyClient(info)
      : new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  if (client instanceof LegacyClient) await client.connect(new LegacyTransport(url, options));
  else await client.connect(new StreamableHTTPClientTransport(url, options));
  return {
    tools: async () => listedTools.parse(await client.listTools()).tools,
    async call(name, args = {}, onProgress) {
      const progress = onProgress === undefined ? {} : { onprogress: onProgress };
      const result =
        client instanceof LegacyClient
          ? await client.callTool({ name, arguments: args }, undefined, progress)
          : await client.callTool({ name, arguments: args }, progress);
      return callResult.parse(result);
    },
    close: () => client.close(),
  };
}
