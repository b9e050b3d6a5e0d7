import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { answerMcpRequest, type GatewayAttempt } from '#adapters/mcp/gateway-server.ts';

const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
const attempt: GatewayAttempt = {
  tools: [
    {
      name: 'fruit/apple',
      server: 'fruit',
      domain: 'food',
      category: 'fruit',
      inputSchema: { type: 'object' },
      outputSchema,
    },
  ],
  call: async (tool, args) => ({ kind: 'result', result: { content: [], structuredContent: { n: 7 }, tool, args } }),
};

async function answers(method: string, params: unknown): Promise<unknown> {
  const request = new Request('http://gateway.test/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await (await answerMcpRequest(request, attempt)).text();
  const data = text.split('\n').find((line) => line.startsWith('data: '));
  return z.object({ result: z.unknown() }).parse(JSON.parse(data?.slice(6) ?? '')).result;
}

// The test's workerd lets code be generated, a deployed Worker does not.
beforeEach(() => {
  const forbid = (): never => {
    throw new EvalError('code generation');
  };
  vi.stubGlobal('Function', new Proxy(Function, { construct: forbid, apply: forbid }));
});
afterEach(() => void vi.unstubAllGlobals());

test('the gateway speaks MCP although workerd forbids code generation', async () => {
  expect(() => Reflect.construct(Function, ['return 1'])).toThrow(EvalError);
  const clientInfo = { name: 'agent', version: '1' };
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  expect(await answers('initialize', hello)).toMatchObject({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
  });
  expect(await answers('tools/list', {})).toEqual({
    tools: [{ name: 'fruit__apple', inputSchema: { type: 'object' }, outputSchema }],
  });
  expect(await answers('tools/call', { name: 'fruit__apple', arguments: { a: 1 } })).toEqual({
    content: [],
    structuredContent: { n: 7 },
    tool: 'fruit/apple',
    args: { a: 1 },
  });
});
