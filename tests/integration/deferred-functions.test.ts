import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runToolSearchAttempt } from '#agents/tool-search.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { agentLimits } from '#core/models/limits.ts';
import { connections, modelsAt } from '../support/endpoints/models-at.ts';
import type { Answerer, Profile } from '../support/endpoints/profile.ts';
import { profileNamed } from '../support/endpoints/profiles.ts';
import { serveProfile } from '../support/endpoints/serve.ts';

const toolNamed = (name: string): Tool => ({
  name,
  server: 'files',
  domain: 'files',
  category: 'filesystem',
  description: `does ${name}`,
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
});
const tools = ['files/read', 'files/write', 'files/list'].map(toolNamed);

/** Searches for reading, reads, searches for writing, writes, answers; and notes which functions it saw in each turn. */
const searcher =
  (seen: string[][]): Answerer =>
  (asked) => {
    const names = asked.tools.map((tool) => tool.function.name);
    seen.push(names);
    const call = (name: string, args: object) => ({
      content: null,
      calls: [{ id: `call_${seen.length}aaa`, name, arguments: JSON.stringify(args) }],
    });
    switch (asked.messages.filter(({ role }) => role === 'tool').length) {
      case 0:
        return call('tool_search', { query: 'read' });
      case 1:
        return call('files__read', { path: 'a' });
      case 2:
        return call('tool_search', { query: 'write' });
      case 3:
        return call('files__write', { path: 'b' });
      default:
        return { content: 'Copied.', calls: [] };
    }
  };

const bodyOfRequest = z.looseObject({ tools: z.array(z.looseObject({ name: z.string().optional() })) });

async function attemptAt(profile: Profile, dialect?: Parameters<typeof modelsAt>[3], shown?: readonly string[]) {
  const seen: string[][] = [];
  const served = await serveProfile(profile, searcher(seen));
  try {
    const result = await runToolSearchAttempt({
      tools,
      model: modelsAt(served, profile, profile.baseUrl, dialect),
      connections,
      findTools: async ({ tool }) => ({
        ok: true,
        tools: tools.filter(({ name }) => name.includes(tool)).map(({ name }) => ({ name, fit: 0.5 })),
        calls: [],
      }),
      shown,
      limits: agentLimits.parse({}),
      seed: 1,
      now: () => 0,
      prompt: { id: 'agent-tool-search@v1', messages: [{ role: 'user', content: 'Copy a to b' }] },
    });
    return {
      ...result,
      seen,
      refusals: served.refusals,
      bodies: served.others.map((body) => bodyOfRequest.parse(body)),
    };
  } finally {
    await served.close();
  }
}

const claude = profileNamed('Anthropic (Messages)');
const gpt = profileNamed('OpenAI gpt-5.6');
const turns = [
  ['tool_search'],
  ['tool_search', 'files__read'],
  ['tool_search', 'files__read'],
  ['tool_search', 'files__read', 'files__write'],
  ['tool_search', 'files__read', 'files__write'],
];

describe('functions that a search has loaded', () => {
  test.each([claude, gpt])('are deferred at $name, which shows them to its model', async (profile) => {
    const { trace, seen, refusals, bodies } = await attemptAt(profile);
    expect(refusals).toEqual([]);
    expect(trace).toMatchObject({ end: 'answered', finalText: 'Copied.' });
    expect(trace.steps.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['files/read', 'success'],
      ['files/write', 'success'],
    ]);
    expect(seen).toEqual(turns);
    // What is cached begins with these in each turn.
    for (const { tools: sent } of bodies)
      expect(sent.filter((tool) => tool['defer_loading'] !== true)).toEqual([
        expect.objectContaining(profile === claude ? { name: 'tool_search' } : { type: 'tool_search' }),
      ]);
  });

  test.each([claude, gpt])('are functions as others are at $name if the client says so', async (profile) => {
    const { trace, seen, bodies } = await attemptAt(profile, { deferredFunctions: false });
    expect(trace).toMatchObject({ end: 'answered' });
    expect(seen).toEqual(turns);
    expect(JSON.stringify(bodies)).not.toContain('defer_loading');
  });

  test.each([claude, gpt])(
    'stand behind tools that are shown from the start, which $name gets undeferred',
    async (profile) => {
      const { trace, seen, refusals, bodies } = await attemptAt(profile, undefined, ['files/list']);
      expect(refusals).toEqual([]);
      expect(trace).toMatchObject({ end: 'answered', finalText: 'Copied.' });
      expect(seen.map((names) => names.toSorted())).toEqual(turns.map((names) => [...names, 'files__list'].toSorted()));
      for (const { tools: sent } of bodies)
        expect(sent.filter((tool) => tool['defer_loading'] !== true)).toEqual([
          expect.objectContaining(profile === claude ? { name: 'tool_search' } : { type: 'tool_search' }),
          expect.objectContaining({ name: 'files__list' }),
        ]);
    },
  );

  test('become functions as others are at an endpoint that refuses them deferred', async () => {
    const rejects: Profile = {
      ...claude,
      otherWires: {
        '/messages': (body, headers, answer) =>
          JSON.stringify(body).includes('defer_loading')
            ? { status: 400, message: 'tools.1.custom.defer_loading: Extra inputs are not permitted' }
            : (claude.otherWires?.['/messages']?.(body, headers, answer) ?? []),
      },
    };
    const { trace, seen, refusals } = await attemptAt({ ...rejects, model: 'claude-opus-4-1' });
    expect(trace).toMatchObject({ end: 'answered' });
    expect(seen).toEqual(turns);
    expect(refusals).toHaveLength(1);
  });
});
