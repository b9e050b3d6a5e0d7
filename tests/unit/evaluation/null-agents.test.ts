import { describe, expect, test } from 'vitest';
import { runNullAgent } from '#agents/null-agent.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { nullPolicy, planCallsOfNullAgent, type NullPolicy } from '#core/evaluation/null-agents.ts';
import { agentLimits } from '#core/models/limits.ts';
import { makeRandom } from '#core/values/random.ts';

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name: `s/${name}`,
  server: 's',
  domain: 'd',
  category: 'read',
  description: `does ${name}`,
  inputSchema: { type: 'object' },
  ...more,
});

const tools = [
  tool('write', {
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, mode: { type: 'string', enum: ['a', 'b'] }, n: { type: 'integer' } },
      required: ['path', 'mode', 'n'],
    },
  }),
  tool('list'),
  tool('erase', { annotations: { destructiveHint: true } }),
];

const plan = (policy: NullPolicy) =>
  planCallsOfNullAgent(policy, {
    request: 'List my files.',
    tools,
    chain: ['s/list', 's/erase', 's/list'],
    random: makeRandom('null'),
  });

const run = async (policy: NullPolicy) => {
  const called: string[] = [];
  const { trace } = await runNullAgent(policy, plan(policy), {
    tools,
    connections: {
      call: async (name) => {
        called.push(name);
        return { kind: 'success', text: `result of ${name}`, truncated: false, sha256: 'f'.repeat(64) };
      },
    },
    limits: agentLimits.parse({ callsPerTurn: 1 }),
    seed: 1,
    now: () => 0,
  });
  return { called, trace };
};

describe('a null agent', () => {
  test('that calls everything calls each tool once in alphabetical order, and answers with what came back', async () => {
    const { called, trace } = await run('call-everything');
    expect(called).toEqual(['s/list', 's/write']);
    expect(trace.steps.map(({ arguments: args }) => args)).toEqual([{}, {}]);
    expect(trace.finalText).toBe('result of s/list\nresult of s/write');
    expect(trace.end).toBe('answered');
  });

  test('that looks up the chain calls its tools in order', async () => {
    const { called } = await run('call-chain');
    expect(called).toEqual(['s/list', 's/list']);
  });

  test('that calls at random fills required arguments by their types, the same for the same seed', () => {
    const { calls } = plan('call-at-random');
    expect(calls).toEqual(plan('call-at-random').calls);
    expect(calls.find((each) => each.tool === 's/write')?.arguments).toEqual({ path: 'x', mode: 'a', n: 1 });
  });

  test.each([
    ['call-nothing', 'Done.'],
    ['repeat-request', 'List my files.'],
    ['copy-tools', 's/write: does write\ns/list: does list\ns/erase: does erase'],
  ] as const)('of the policy %s calls nothing', async (policy, answer) => {
    const { called, trace } = await run(policy);
    expect(called).toEqual([]);
    expect(trace.finalText).toBe(answer);
  });

  test('never calls a tool that says of itself that it destroys', () => {
    for (const policy of nullPolicy.options)
      expect(plan(policy).calls.map((each) => each.tool)).not.toContain('s/erase');
  });

  test('uses no tokens', async () => {
    const { trace } = await run('call-everything');
    expect([trace.promptTokens, trace.completionTokens, trace.costUsd]).toEqual([0, 0, 0]);
  });
});
