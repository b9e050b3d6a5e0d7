import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { findPackageEntryFile } from '../../offline/gateway/child.ts';
import { buildRepositoriesOrWarn } from '../../offline/gateway/git-fixture.ts';
import { type Gateway, startGateway } from '../../offline/gateway/gateway.ts';
import { SERVERS } from '../../offline/gateway/servers.ts';

type Arguments = Record<string, unknown>;

// Processes are started here, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway({ port: 0, maxChildren: 3 });
  expect(await gateway.warm).toEqual([]);
  if (spawnSync('git', ['--version']).error !== undefined)
    throw new Error('git is not installed or not on PATH: install it, one of the servers of these tests works with it');
}, 30_000);
afterAll(() => gateway.close());

class Visit {
  readonly transport: StreamableHTTPClientTransport;
  readonly client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });

  constructor(server: string) {
    this.transport = new StreamableHTTPClientTransport(new URL(`${gateway.url}/${server}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${gateway.grantToken(server)}` } },
    });
  }

  static async to(server: string): Promise<Visit> {
    const visit = new Visit(server);
    await visit.client.connect(visit.transport);
    return visit;
  }

  async call(name: string, args: Arguments = {}): Promise<string> {
    return textOf(await this.client.callTool({ name, arguments: args }));
  }

  async end(): Promise<void> {
    await this.transport.terminateSession();
    await this.client.close();
  }
}

function textOf(result: unknown): string {
  const schema = z.looseObject({ content: z.array(z.looseObject({ text: z.string().optional() })) });
  return schema
    .parse(result)
    .content.map(({ text }) => text ?? '')
    .join('\n');
}

function post(server: string, message: object, session?: string): Promise<Response> {
  return fetch(`${gateway.url}/${server}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
}

async function open(server: string): Promise<string> {
  const response = await post(server, { method: 'initialize', params: {} });
  return response.headers.get('mcp-session-id') ?? '';
}

/** For each stateful server: a call that leaves something behind, a call that shows it, and what it then shows. */
const TRACES: Record<string, { write: [string, Arguments]; read: [string, Arguments]; trace: RegExp }> = {
  files: {
    write: ['write_file', { path: 'notes/trace.md', content: 'x' }],
    read: ['list_directory', { path: 'notes' }],
    trace: /trace\.md/,
  },
  memory: {
    write: ['create_entities', { entities: [{ name: 'Trace', entityType: 'test', observations: [] }] }],
    read: ['read_graph', {}],
    trace: /"Trace"/,
  },
  everything: {
    write: ['toggle-simulated-logging', {}],
    read: ['toggle-simulated-logging', {}],
    trace: /Stopped/,
  },
  thinking: {
    write: ['sequentialthinking', { thought: 'a', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 }],
    read: ['sequentialthinking', { thought: 'b', nextThoughtNeeded: false, thoughtNumber: 2, totalThoughts: 2 }],
    trace: /"thoughtHistoryLength": 2/,
  },
  git: {
    write: ['git_branch', { mode: 'create', branchName: 'trace' }],
    read: ['git_branch', { mode: 'list' }],
    trace: /"trace"/,
  },
  diagrams: {
    write: [
      'add_nodes',
      { file_path: 'flows/order.drawio.svg', nodes: [{ id: 't', title: 'Trace', kind: 'Text', x: 1, y: 1 }] },
    ],
    read: ['get_diagram_info', { file_path: 'flows/order.drawio.svg' }],
    trace: /Trace/,
  },
  planning: {
    write: ['request_planning', { originalRequest: 'Trace', tasks: [] }],
    read: ['list_requests', {}],
    trace: /Trace/,
  },
};

describe('the list of servers', () => {
  it('names sixteen servers in at least eight fields', async () => {
    const response = await fetch(`${gateway.url}/servers`);
    expect(await response.json()).toEqual(gateway.servers);
    expect(gateway.servers).toHaveLength(16);
    expect(new Set(gateway.servers.map(({ domain }) => domain)).size).toBeGreaterThanOrEqual(8);
  });

  it('has a trace to test for each stateful server', () => {
    const stateful = gateway.servers.filter((server) => server.stateful).map(({ name }) => name);
    expect(stateful.toSorted()).toEqual(Object.keys(TRACES).toSorted());
  });

  it('offers 147 tools', async () => {
    const counts = await Promise.all(
      gateway.servers.map(async ({ name }) => {
        const visit = await Visit.to(name);
        const { tools } = await visit.client.listTools();
        await visit.end();
        return tools.length;
      }),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(147);
  });

  it.each(['calc', 'memory', 'budget'])(
    'passes on the tools of %s as the server lists them over stdio',
    async (name) => {
      const spec = SERVERS.find((server) => server.name === name);
      const folder = await mkdtemp(join(tmpdir(), 'sextant-test-'));
      const stdio = new StdioClientTransport({
        command: process.execPath,
        args: [
          findPackageEntryFile(spec !== undefined && 'package' in spec ? spec.package : ''),
          ...(spec?.args ?? []),
        ],
        env: { HOME: folder, MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
        cwd: folder,
        stderr: 'ignore',
      });
      const direct = new Client({ name: 'test', version: '1.0.0' });
      await direct.connect(stdio);
      const visit = await Visit.to(name);
      const response = await post(name, { method: 'tools/list', params: {} }, visit.transport.sessionId);
      const whole = z.object({ result: z.unknown() }).parse(await response.json());
      expect(whole.result).toEqual(await direct.request({ method: 'tools/list' }, z.looseObject({})));
      await Promise.all([visit.end(), direct.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  );
});

describe('a server behind OAuth', () => {
  it('takes no request without a token, and says who gives one', async () => {
    const response = await post('customers', { method: 'tools/list', params: {} });
    expect(response.status).toBe(401);
    const metadata = `${gateway.url}/.well-known/oauth-protected-resource/customers/mcp`;
    expect(response.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}", scope="tools"`);
    expect(await (await fetch(metadata)).json()).toMatchObject({
      resource: `${gateway.url}/customers/mcp`,
      authorization_servers: [`${gateway.url}/authorization`],
    });
  });

  it('takes no token that was given for another server', async () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${gateway.url}/customers/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${gateway.grantToken('calc')}` } },
    });
    await expect(new Client({ name: 'test', version: '1.0.0' }).connect(transport)).rejects.toThrow(/invalid_token/);
  });
});

describe('a server without sessions', () => {
  it('answers clients of MCP 2026-07-28', async () => {
    const visit = await Visit.to('food');
    expect(visit.client.getProtocolEra()).toBe('modern');
    expect(await visit.call('mcp_howtocook_whatToEat', { peopleCount: 2 })).toMatch(/\S/);
    await visit.end();
  });

  it('refuses clients that begin with `initialize`, and names the version that it speaks', async () => {
    const response = await post('food', {
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('2026-07-28');
  });
});

describe('a session at a stateful server', () => {
  it.each(Object.keys(TRACES))('sees nothing of another one at %s', async (server) => {
    const { write, read, trace } = TRACES[server] ?? { write: ['', {}], read: ['', {}], trace: /./ };
    const [writer, reader] = await Promise.all([Visit.to(server), Visit.to(server)]);
    await writer.call(...write);
    expect(await reader.call(...read)).not.toMatch(trace);
    expect(await writer.call(...read)).toMatch(trace);
    await reader.end();
    const second = await Visit.to(server);
    expect(await second.call(...read)).not.toMatch(trace);
    await Promise.all([writer.end(), second.end()]);
    // One of them at least has a child that was used before, where the server's children are used again.
    const successors = await Promise.all([1, 2].map(() => Visit.to(server)));
    for (const text of await Promise.all(successors.map((visit) => visit.call(...read))))
      expect(text).not.toMatch(trace);
    await Promise.all(successors.map((visit) => visit.end()));
  });

  it('reuses a process if only a folder must be restored', async () => {
    const before = new Set(gateway.processes());
    for (let turn = 0; turn < 6; turn++) {
      const visit = await Visit.to('files');
      expect(await visit.call('list_directory', { path: '.' })).not.toContain(`turn-${turn - 1}`);
      await visit.call('create_directory', { path: `turn-${turn}` });
      await visit.end();
      await sleep(50);
    }
    expect(gateway.processes().filter((pid) => !before.has(pid))).toEqual([]);
  });

  it('starts with the fixture again after files were removed', async () => {
    const first = await Visit.to('git');
    await first.call('git_clean', { force: true });
    await first.call('git_clear_working_dir', { confirm: 'Y' });
    await first.end();
    await sleep(300);
    const second = await Visit.to('git');
    expect(await second.call('git_status')).toContain('notes/ideas.txt');
    await second.end();
  });

  it('never gets a process that is still working', async () => {
    const session = await open('everything');
    const slow = { name: 'trigger-long-running-operation', arguments: { duration: 5, steps: 1 } };
    const running = post('everything', { method: 'tools/call', params: slow }, session);
    await sleep(200);
    await fetch(`${gateway.url}/everything/mcp`, { method: 'DELETE', headers: { 'mcp-session-id': session } });
    expect(await (await running).json()).toMatchObject({ error: { code: -32000 } });
  });

  it('waits for a process if all are taken', async () => {
    const visits = await Promise.all(Array.from({ length: 4 }, () => Visit.to('planning')));
    const [first, ...others] = visits;
    const answers = visits.map((visit) => visit.call('list_requests'));
    await Promise.all(answers.slice(0, 3));
    await first?.end();
    expect(await answers[3]).toContain('requests_listed');
    await Promise.all(others.map((visit) => visit.end()));
  });
});

describe('the gateway', () => {
  it('separates clients of a shared server that use the same ids', async () => {
    const [a, b] = await Promise.all([open('calc'), open('calc')]);
    const responses = await Promise.all([calculate(a, '1+1'), calculate(b, '2+2')]);
    expect(textOf(z.looseObject({ result: z.unknown() }).parse(await responses[0]?.json()).result)).toBe('2');
    expect(textOf(z.looseObject({ result: z.unknown() }).parse(await responses[1]?.json()).result)).toBe('4');
  });

  it("passes on progress under the client's token", async () => {
    const visit = await Visit.to('everything');
    const steps: unknown[] = [];
    await visit.client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 2 } },
      { onprogress: ({ progress, total }) => void steps.push([progress, total]) },
    );
    expect(steps).toEqual([
      [1, 2],
      [2, 2],
    ]);
    await visit.end();
  });

  it('passes on errors unchanged', async () => {
    const visit = await Visit.to('tailwind');
    await expect(visit.client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow(/Unknown tool/);
    await visit.end();
  });

  it('answers 404 for an ended session and 400 without one', async () => {
    const session = await open('time');
    const remove = { method: 'DELETE', headers: { 'mcp-session-id': session } };
    expect((await post('time', { method: 'ping' }, session)).status).toBe(200);
    expect((await fetch(`${gateway.url}/time/mcp`, remove)).status).toBe(200);
    expect((await post('time', { method: 'ping' }, session)).status).toBe(404);
    expect((await fetch(`${gateway.url}/time/mcp`, remove)).status).toBe(404);
    expect((await post('time', { method: 'ping' })).status).toBe(400);
  });

  it("refuses another server's session", async () => {
    expect((await post('calc', { method: 'ping' }, await open('time'))).status).toBe(404);
  });

  it('answers 404 for paths that lead nowhere', async () => {
    for (const path of ['/', '/nothing/mcp', '/calc', '/calc/mcp/more', '/calc/sse']) {
      expect((await fetch(gateway.url + path, { method: 'POST', body: '{}' })).status).toBe(404);
    }
  });

  it('refuses malformed messages, other methods, and requests from web pages of other sites', async () => {
    const url = `${gateway.url}/calc/mcp`;
    expect((await fetch(url, { method: 'POST', body: 'nonsense' })).status).toBe(400);
    expect((await fetch(url, { method: 'POST', body: '[]' })).status).toBe(400);
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(url, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  });
});

describe('the processes of the gateway', () => {
  it.each(['memory', 'system'])('of %s end their session when they die, but not the gateway', async (server) => {
    const session = await open(server);
    const before = gateway.processes();
    const call = { method: 'resources/list', params: {} };
    expect((await post(server, call, session)).status).toBe(200);
    const mine = [...new Set([...before, ...gateway.processes()])].filter((pid) => commandOf(pid).includes(server));
    for (const pid of mine) process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await post(server, call, session)).status).toBe(404);
    const next = await Visit.to(server);
    expect((await next.client.listTools()).tools.length).toBeGreaterThan(0);
    await next.client.ping();
    await next.end();
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'end with a gateway that gets a %s',
    async (signal) => {
      const script = `
      const { startGateway } = await import(${JSON.stringify(join(import.meta.dirname, '../../offline/gateway/gateway.ts'))});
      const gateway = await startGateway({ port: 0 });
      await new Promise((go) => setTimeout(go, 700));
      console.log(JSON.stringify(gateway.processes()));
    `;
      const folder = await mkdtemp(join(tmpdir(), 'sextant-test-'));
      const host: ChildProcess = spawn(process.execPath, ['--input-type=module', '--eval', script], {
        env: { ...process.env, TMPDIR: folder },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      host.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await expect.poll(() => said, { timeout: 10_000 }).toContain('\n');
      const pids = z.array(z.number()).parse(JSON.parse(said));
      expect(pids.length).toBeGreaterThan(0);
      host.kill(signal);
      await once(host, 'exit');
      await expect.poll(() => pids.filter(runs), { timeout: 5_000 }).toEqual([]);
      await rm(folder, { recursive: true, force: true });
    },
    20_000,
  );
});

function calculate(session: string, expression: string): Promise<Response> {
  return post('calc', { method: 'tools/call', params: { name: 'math', arguments: { expression } } }, session);
}

function commandOf(pid: number): string {
  return existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
}

/** Whether a process runs; one that has ended but was not yet waited for has an empty command line. */
function runs(pid: number): boolean {
  return commandOf(pid) !== '';
}

it('are not started for git if there is none, which is reported in one sentence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sextant-test-'));
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await buildRepositoriesOrWarn(folder, (_command, args, options) => promisify(execFile)('no-such-git', args, options));
  const lines = said.mock.calls.map(([text]) => String(text));
  said.mockRestore();
  await rm(folder, { recursive: true });
  expect(lines).toEqual([
    'The git server has no repository to work on, its calls will fail: git is not installed or not on PATH. Install it and start again.\n',
  ]);
});
