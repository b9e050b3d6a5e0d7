import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createApp } from '#api/app.ts';
import { directoryKnowing, fakeServices } from '../support/fake-services.ts';
import { clientEras, connectClient, type ClientEra } from '../support/mcp-clients.ts';
import { running } from '../support/running.ts';

const key = 'sxt_reader';

async function deployed(vars: Readonly<Record<string, string>> = {}) {
  const services = fakeServices({ directory: await directoryKnowing(key) }, vars);
  const app = createApp(services);
  return { app, services, send: (request: Request) => Promise.resolve(app.fetch(request)) };
}

async function open(era: ClientEra) {
  const { send } = await deployed();
  const client = await connectClient(era, send, key);
  running.push({ close: () => client.close() });
  return client;
}

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

const post = (headers: Record<string, string>, url = 'http://127.0.0.1:8787/mcp') =>
  new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(hello),
  });

const problem = z.object({ code: z.string() });
const bearer = { authorization: `Bearer ${key}` };

describe.each(clientEras)('a client of the era "%s"', (era) => {
  test('is told every tool with schemas that need no other document, and with all hints', async () => {
    const tools = await (await open(era)).tools();
    expect(tools.map(({ name }) => name)).toMatchInlineSnapshot(`
      [
        "list_servers",
        "add_server",
        "create_catalog",
        "start_exploration",
        "start_evaluation",
        "list_runs",
        "get_run",
        "wait_for_run",
        "cancel_run",
        "read_tool_report",
        "read_results",
        "list_units",
        "read_unit",
        "list_benchmarks",
        "freeze_benchmark",
        "list_cases",
        "read_case",
      ]
    `);
    for (const each of tools) {
      expect(JSON.stringify([each.inputSchema, each.outputSchema])).not.toContain('$ref');
      expect(Object.keys(each.annotations).toSorted()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ]);
      expect([each.name, each.inputSchema['additionalProperties']]).toEqual([each.name, false]);
    }
  });

  test('gets bad arguments back as an error of the tool that names the place', async () => {
    const result = await (await open(era)).call('get_run', { run: 'bm_1', more: 1 });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    expect(result.content[0]?.text).toMatch(/\(invalid-request\): \/run: the id of an exploration/);
    expect(JSON.parse(result.content[1]?.text ?? '')).toMatchObject({
      code: 'invalid-request',
      retryable: false,
      issues: [{ where: '/run' }, { where: '/' }],
    });
  });

  test("gets the API's refusal as an error of the tool, with its code", async () => {
    const result = await (await open(era)).call('cancel_run', { run: 'exp_1' });
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toContain('(forbidden): this needs a key with the scope "run"');
    expect(JSON.parse(result.content[1]?.text ?? '')).toMatchObject({ code: 'forbidden', retryable: false });
  });

  test('gets an error of the protocol for a tool that there is not', async () => {
    await expect((await open(era)).call('drop_tables')).rejects.toThrow('there is no tool drop_tables');
  });
});

describe('the endpoint', () => {
  test('wants a key, and says so as RFC 6750 has it', async () => {
    const { send } = await deployed();
    const missing = await send(post({}));
    expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="sextant"']);
    const wrong = await send(post({ authorization: 'Bearer sxt_wrong' }));
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="sextant", error="invalid_token"',
    ]);
    expect((await send(post(bearer))).status).toBe(200);
  });

  test('has no stream to GET and no session to DELETE', async () => {
    const { app } = await deployed();
    for (const method of ['GET', 'DELETE']) {
      const answer = await app.request('/mcp', { method, headers: bearer });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('refuses pages of other sites, also those whose name was rebound to this machine', async () => {
    const { send } = await deployed({ PUBLIC_ORIGIN: 'https://sextant.example.com' });
    const answer = async (origin: string, url?: string) => (await send(post({ ...bearer, origin }, url))).status;
    expect(await answer('http://127.0.0.1:8787')).toBe(200);
    expect(await answer('https://sextant.example.com')).toBe(200);
    expect(await answer('https://a.workers.dev', 'https://a.workers.dev/mcp')).toBe(200);
    expect(await answer('http://127.0.0.1:9999')).toBe(403);
    expect(await answer('http://evil.example.com:8787', 'http://evil.example.com:8787/mcp')).toBe(403);
    const refused = await send(post({ ...bearer, origin: 'null' }));
    expect(problem.parse(await refused.json()).code).toBe('origin-forbidden');
  });

  test('counts its own requests and those of its tools for the key', async () => {
    const { services, send } = await deployed({ REQUESTS_PER_MINUTE_PER_KEY: '3' });
    const client = await connectClient('modern', send, key);
    // One to connect, one for the call, and one by the tool.
    expect((await client.call('cancel_run', { run: 'exp_1' })).content[0]?.text).toContain('(forbidden)');
    await expect(client.call('cancel_run', { run: 'exp_1' })).rejects.toThrow('429');
    expect([...services.counted.keys()]).toEqual(['key:key_1']);
    await client.close();
  });
});
