import { CallToolResultSchema, ErrorCode, McpError, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { PeopleOptions } from '../../offline/gateway/people.ts';
import { listen, type Handler } from './http-control.ts';
import { startTestMcpServer, type TestMcpServer, type TestTool } from './mcp-server.ts';
import { protect, type ProtectedServer } from './protected-server.ts';
import { serverSpec, toolSpec, trickOrder, type ServerLog } from './script.ts';

const machine = { id: 'machine', secret: 'first secret', scopes: ['tools'] };
/** What Sextant is registered as for people; tests use it at this address. */
const desk = {
  id: 'desk',
  secret: 'desk secret',
  scopes: ['tools', 'offline_access'],
  redirectUris: ['http://127.0.0.1:8787/oauth/callback'],
};
const newMachine = { ...machine, secret: 'second secret' };

interface FleetServer {
  readonly server: TestMcpServer;
  readonly calls: ServerLog['calls'];
  readonly protection: ProtectedServer | undefined;
}

/**
 * Starts MCP servers for tests that cannot start any themselves. `POST /servers` with a spec starts one; `POST
 * /servers/<id>/trick` makes it misbehave; `POST /servers/<id>/close` ends it; `GET /servers/<id>` says what it was asked.
 */
export async function startServerFleet(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const fleet = new Map<string, FleetServer>();
  const handler: Handler = async ({ method, path, body }) => {
    const [, id = '', verb] = path;
    if (method === 'POST' && id === '') {
      const made = `s${fleet.size}`;
      const started = await start(serverSpec.parse(body));
      fleet.set(made, started);
      return { id: made, url: (started.protection ?? started.server).url };
    }
    const found = fleet.get(id);
    if (found === undefined) throw new Error(`there is no server ${id}`);
    if (verb === 'trick') {
      const order = trickOrder.parse(body);
      return found.server.setTrick(order.method, order.trick ?? undefined);
    }
    if (verb === 'close') {
      await found.protection?.close();
      return found.server.close();
    }
    if (verb === 'change-secret') return found.protection?.authorization.replaceClientsAndRevokeTokens([newMachine]);
    if (verb === 'revoke-tokens') return found.protection?.authorization.revokeAllTokens();
    if (verb === 'end-consents') return found.protection?.authorization.people?.endAllConsents();
    const requests = found.server.requests.map(({ rpc, headers }) => ({ rpc: rpc ?? null, headers }));
    const tokens = found.protection?.authorization.counts.tokens ?? 0;
    const { people } = found.protection?.authorization ?? {};
    const consents = { registered: 0, ended: 0, ...people?.counts, secrets: [...(people?.given ?? [])] };
    return { requests, calls: found.calls, tokens, consents } satisfies ServerLog;
  };
  const control = await listen(handler);
  return {
    url: control.url,
    async close() {
      await control.close();
      await Promise.all(Array.from(fleet.values(), async ({ protection }) => protection?.close()));
      await Promise.all(Array.from(fleet.values(), ({ server }) => server.close()));
    },
  };
}

async function start(spec: z.infer<typeof serverSpec>): Promise<FleetServer> {
  const calls: ServerLog['calls'] = [];
  const many = Array.from({ length: spec.many }, (_, i) => toolSpec.parse({ name: `tool-${i}` }));
  const tools = [...spec.tools, ...many].map(({ does, bytes, structured, result, message, ...listed }): TestTool => ({
    ...listed,
    handle: async (args, _progress, ask) => {
      calls.push({ tool: listed.name, arguments: args });
      if (does === 'ask') return askFirst(listed.name, args, ask);
      if (message !== undefined) throw new McpError(ErrorCode.InvalidParams, message, result);
      if (does === 'result') return CallToolResultSchema.parse(result);
      return does === 'structured'
        ? { content: [], structuredContent: structured }
        : resultOf(does, listed.name, args, bytes);
    },
  }));
  const { pageSize, tricks, tokenSeconds, people } = spec;
  const server = await startTestMcpServer({ tools, tricks, ...(pageSize === undefined ? {} : { pageSize }) });
  const isProtected = tokenSeconds !== undefined;
  const options = {
    clients: [machine, ...(people === undefined ? [] : [desk])],
    scope: 'tools',
    ...(people === undefined ? {} : { people: withoutUndefined(people) }),
  };
  return {
    server,
    calls,
    protection: isProtected ? await protect(server.url, { ...options, tokenSeconds }) : undefined,
  };
}

type People = NonNullable<z.infer<typeof serverSpec>['people']>;

const withoutUndefined = ({ registers, sendsIssuer, renews }: People): PeopleOptions => ({
  ...(registers === undefined ? {} : { registers }),
  ...(sendsIssuer === undefined ? {} : { sendsIssuer }),
  ...(renews === undefined ? {} : { renews }),
});
/** Says in its result what its user answered, or that nobody can be asked. */
async function askFirst(
  name: string,
  args: Record<string, unknown>,
  ask: (message: string, field: string) => Promise<unknown>,
): Promise<CallToolResult> {
  const answer = await ask('Which colour?', 'colour').catch(() => 'nobody can be asked');
  const { structuredContent, content } = resultOf('refer', name, args, 0);
  return { content: [...content, ...text(JSON.stringify(answer))], structuredContent };
}

const text = (value: string) => [{ type: 'text' as const, text: value }];

function resultOf(
  does: 'refer' | 'fail' | 'flood',
  name: string,
  args: Record<string, unknown>,
  bytes: number,
): CallToolResult {
  switch (does) {
    case 'fail':
      return { isError: true, content: text('there is nothing of that kind') };
    case 'flood':
      return { content: text('x'.repeat(bytes)) };
    case 'refer': {
      const reference = `R-${name}-${JSON.stringify(args).length}x${Object.values(args).join('').length}`;
      return { content: text(JSON.stringify({ reference })), structuredContent: { reference } };
    }
  }
}
