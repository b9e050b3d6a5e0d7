import { afterEach, expect, test } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Admission } from '#adapters/network/admission.ts';
import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import { answerMcpRequest } from '#adapters/mcp/gateway-server.ts';
import { noIsolation } from '#core/catalog/isolation/isolation.ts';
import { noRules } from '#core/catalog/redaction/rules.ts';
import {
  allowedEffect,
  isEffectWithinLimit,
  toolsWithEffects,
  type AllowedEffect,
  type ToolEffect,
} from '#core/catalog/effect.ts';
import { selectTools, toolSelection } from '#core/catalog/selection.ts';
import { toolNameWithoutServer, type Tool } from '#core/catalog/tool.ts';
import { nullPolicy, planCallsOfNullAgent } from '#core/evaluation/null-agents.ts';
import { makeCatalogIndex } from '#core/exploration/catalog-index.ts';
import { defaultSampling } from '#core/exploration/sampling.ts';
import { initialState } from '#core/exploration/state.ts';
import { strategyName } from '#core/exploration/config.ts';
import { strategies } from '#core/exploration/strategies.ts';
import { makeRandom } from '#core/values/random.ts';
import { startTestMcpServer } from '../support/mcp-server.ts';

/** That no call does more to a server than its owner allows. */

const running: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0).toReversed()) await each.close();
});

interface Truth {
  readonly name: string;
  readonly annotations?: Record<string, unknown>;
  /** What it does; where its annotations say something else, the owner has corrected them. */
  readonly does: ToolEffect;
}
const truths: readonly Truth[] = [
  { name: 'list', annotations: { readOnlyHint: true }, does: 'reads' },
  { name: 'add', annotations: { readOnlyHint: false, destructiveHint: false }, does: 'writes' },
  { name: 'drop', annotations: { destructiveHint: true }, does: 'destroys' },
  { name: 'silent', does: 'unknown' },
  { name: 'silent_reader', does: 'reads' },
  { name: 'false_reader', annotations: { readOnlyHint: true }, does: 'writes' },
  { name: 'false_friend', annotations: { readOnlyHint: true, destructiveHint: false }, does: 'destroys' },
  { name: 'false_danger', annotations: { readOnlyHint: false, destructiveHint: true }, does: 'reads' },
];
const corrections = {
  silent_reader: 'reads',
  false_reader: 'writes',
  false_friend: 'destroys',
  false_danger: 'reads',
} as const;
const doesOf = (tool: string): ToolEffect =>
  truths.find(({ name }) => name === toolNameWithoutServer(tool))?.does ?? 'destroys';

/** Three servers with all of these tools, each with another limit, and what was called on them. */
async function world() {
  const called: string[] = [];
  const limits: Readonly<Record<string, AllowedEffect>> = { careful: 'reads', open: 'writes', sandbox: 'destroys' };
  const servers = await Promise.all(
    Object.entries(limits).map(async ([name, allows]) => {
      const server = await startTestMcpServer({
        tools: truths.map((truth) => ({
          name: truth.name,
          annotations: truth.annotations,
          inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
          handle: async () => {
            called.push(`${name}/${truth.name}`);
            return { content: [{ type: 'text', text: 'done' }] };
          },
        })),
      });
      running.push(server);
      return {
        name,
        url: server.url,
        headers: {},
        allows,
        effects: corrections,
        protocolVersion: null,
        redact: noRules,
        isolation: noIsolation,
      };
    }),
  );
  const listed = servers.flatMap(({ name }) =>
    toolsWithEffects(
      truths.map(({ name: own, annotations }): Tool => ({
        name: `${name}/${own}`,
        server: name,
        domain: 'd',
        category: 'other',
        inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
        ...(annotations === undefined ? {} : { annotations }),
      })),
      corrections,
    ),
  );
  return { called, limits, servers, listed };
}

const connect = (servers: Awaited<ReturnType<typeof world>>['servers'], tools: readonly Tool[]) => {
  const connections = makeLazyConnections({ admission: new Admission(), servers, tools, allowLocal: true });
  running.push(connections);
  return connections;
};

test('10,000 calls of any tool reach their servers only as far as these allow, from agents, null agents, samplers and the gateway', async () => {
  const { called, limits, servers, listed } = await world();
  const random = makeRandom('effects', 1);
  const pick = <T>(from: readonly T[]): T => {
    const found = from[random.below(from.length)];
    if (found === undefined) throw new Error('there is nothing to pick');
    return found;
  };
  const names = [...listed.map(({ name }) => name), 'careful/none', 'nobody/list'];
  let refused = 0;
  let made = 0;
  for (const upTo of allowedEffect.options) {
    const before = called.length;
    const { tools } = selectTools(listed, toolSelection.parse({ upTo }), new Map(Object.entries(limits)));
    const connections = connect(servers, tools);
    const state = initialState(makeCatalogIndex(tools));
    const drawn = strategyName.options.flatMap((name, n) =>
      Array.from({ length: 20 }, (_, at) =>
        strategies[name].makeSampler(defaultSampling)(state, makeRandom(upTo, n, at)),
      ).flat(),
    );
    const blind = nullPolicy.options.flatMap((policy) =>
      planCallsOfNullAgent(policy, { request: 'do it', tools, chain: names, random }).calls.map(({ tool }) => tool),
    );
    const wanted = [...drawn, ...blind];
    while (wanted.length < 3_334) wanted.push(pick(names));
    for (const tool of wanted) {
      const forwarded = await connections.forward(tool, { id: 'x' }, { timeoutMs: 5_000 });
      made += 1;
      if (forwarded.kind === 'fault') {
        expect(forwarded.fault.code).toMatch(/^(?:not-allowed|unreachable)$/);
        refused += 1;
      }
    }
    for (const tool of called.slice(before)) {
      const limit = limits[tool.split('/')[0] ?? ''] ?? 'reads';
      expect([tool, isEffectWithinLimit(doesOf(tool), limit), isEffectWithinLimit(doesOf(tool), upTo)]).toEqual([
        tool,
        true,
        true,
      ]);
    }
    expect(new Set(called.slice(before)).size).toBeGreaterThan(6);
  }
  expect(made).toBeGreaterThanOrEqual(10_000);
  expect(refused).toBeGreaterThan(1_000);
  expect(called.length).toBe(made - refused);
}, 120_000);

test('a limit that was lowered, and an effect that was corrected, bind runs over catalogs that were frozen before', async () => {
  const { called, servers, listed } = await world();
  const all = listed.map((tool) => ({ ...tool, effect: 'reads' as const }));
  const lowered = servers.map((server) => ({ ...server, allows: 'reads' as const }));
  const connections = connect(lowered, all);
  const ends: string[] = [];
  for (const { name } of all) {
    const forwarded = await connections.forward(name, {}, { timeoutMs: 5_000 });
    ends.push(forwarded.kind === 'fault' ? forwarded.fault.code : name);
  }
  // What the owner never corrected is as the catalog says.
  const reads = ['list', 'add', 'drop', 'silent', 'silent_reader', 'false_danger'];
  expect(called.toSorted()).toEqual(lowered.flatMap(({ name }) => reads.map((tool) => `${name}/${tool}`)).toSorted());
  expect(ends.filter((end) => end === 'not-allowed')).toHaveLength(6);
});

test('a client of the gateway is told what its call may not do', async () => {
  const { called, servers, listed } = await world();
  const connections = connect(servers, listed);
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://gateway.test/mcp'), {
      fetch: (target, init) =>
        answerMcpRequest(new Request(target, init), {
          tools: listed,
          call: async (name, args, { signal, onProgress }) => {
            const forwarded = await connections.forward(name, args ?? {}, { timeoutMs: 5_000, signal, onProgress });
            return forwarded.kind === 'answered'
              ? forwarded.answer
              : { kind: 'error', error: { code: -32603, message: forwarded.fault.detail } };
          },
        }),
    }),
  );
  running.push(client);
  await expect(client.callTool({ name: 'careful__drop', arguments: {} })).rejects.toThrow(
    'the owner of the server allows calls up to "reads"; of this one the effect is "destroys"',
  );
  await client.callTool({ name: 'careful__list', arguments: {} });
  expect(called).toEqual(['careful/list']);
});

test('a dry run is sent as one, whatever the caller says', async () => {
  const sent: unknown[] = [];
  const server = await startTestMcpServer({
    tools: [
      {
        name: 'drop',
        annotations: { destructiveHint: true },
        inputSchema: { type: 'object', properties: { dryRun: { type: 'boolean' } } },
        handle: async (args) => {
          sent.push(args);
          return { content: [{ type: 'text', text: 'would be gone' }] };
        },
      },
    ],
  });
  running.push(server);
  const listed: Tool[] = [
    {
      name: 'disk/drop',
      server: 'disk',
      domain: 'd',
      category: 'other',
      inputSchema: { type: 'object', properties: { dryRun: { type: 'boolean' } } },
      effect: 'destroys',
    },
  ];
  const { tools } = selectTools(listed, toolSelection.parse({ dryRun: true }), new Map([['disk', 'reads']]));
  const access = {
    name: 'disk',
    url: server.url,
    headers: {},
    allows: 'reads',
    effects: { drop: 'destroys' },
    protocolVersion: null,
    redact: noRules,
    isolation: { kind: 'none' },
  } as const;
  const connections = makeLazyConnections({ admission: new Admission(), servers: [access], tools, allowLocal: true });
  running.push(connections);
  expect(await connections.forward('disk/drop', { dryRun: false }, { timeoutMs: 5_000 })).toMatchObject({
    kind: 'answered',
  });
  expect(sent).toEqual([{ dryRun: true }]);
});
