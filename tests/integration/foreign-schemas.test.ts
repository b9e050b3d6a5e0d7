import { describe, expect, test } from 'vitest';
import { runFunctionCallingAttempt } from '#agents/function-calling.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { agentLimits } from '#core/models/limits.ts';
import { connections, modelsAt } from '../support/endpoints/models-at.ts';
import type { Profile, Refused, Rule } from '../support/endpoints/profile.ts';
import { profileNamed } from '../support/endpoints/profiles.ts';
import { refused } from '../support/endpoints/rules.ts';
import { serveProfile } from '../support/endpoints/serve.ts';

const toolWith = (name: string, schema: Record<string, unknown>): Tool => ({
  name,
  server: 'files',
  domain: 'files',
  category: 'filesystem',
  description: 'reads',
  inputSchema: { type: 'object', ...schema },
});
const plain = toolWith('files/read', { properties: { path: { type: 'string' } } });
const either = toolWith('files/find', { anyOf: [{ required: ['name'] }, { required: ['size'] }] });
const odd = toolWith('files/odd', { properties: { when: { type: 'string', format: 'odd-format' } } });

/** Lets agents work at a stand-in, one after the other, and returns how each ended. */
async function attempts(profile: Profile, gateway: string | null, tools: readonly Tool[], times = 1) {
  const served = await serveProfile(profile);
  try {
    const url = new URL(profile.baseUrl);
    if (gateway !== null) url.host = `${gateway}.gateway.example.com`;
    const model = modelsAt(served, profile, url.href, gateway === null ? {} : { wire: wireOf(profile) });
    const prompt = { id: 'agent@v1', messages: [{ role: 'user' as const, content: 'Read two files' }] };
    const ended = [];
    for (let time = 0; time < times; time += 1) {
      const before = served.refusals.length;
      const input = { tools, model, connections, limits: agentLimits.parse({}), seed: 1, now: () => 0, prompt };
      ended.push({ ...(await runFunctionCallingAttempt(input)), refused: served.refusals.length - before });
    }
    return ended;
  } finally {
    await served.close();
  }
}

const wireOf = ({ isWithoutChat }: Profile) => (isWithoutChat === true ? 'messages' : 'chat');

const openAi = profileNamed('OpenAI gpt-5.4');
const gemini = profileNamed('Gemini (compatibility layer)');
const claude = profileNamed('Anthropic (Messages)');

describe('a tool whose schema cannot be written for the endpoint', () => {
  test.each([
    [openAi, either, 'keyword', '/anyOf'],
    [claude, either, 'keyword', '/anyOf'],
    [claude, toolWith('files/of', { properties: { 'filter[id]': {} } }), 'field-name', '/properties/filter[id]'],
    [
      gemini,
      toolWith('files/tree', { properties: { child: { $ref: '#' } } }),
      'recursive-reference',
      '/properties/child/$ref',
    ],
  ])('is left out at $name and named in the trace', async (profile, tool, reason, pointer) => {
    const [ended] = await attempts(profile, null, [tool, plain]);
    expect(ended).toMatchObject({
      refused: 0,
      trace: { end: 'answered', leftOut: [{ tool: tool.name, reason, pointer }] },
    });
    expect(ended?.trace.steps.map((step) => step.tool)).toEqual(['files/read', 'files/read']);
  });

  test.each([openAi, claude])(
    'is left out behind an unknown address once it was refused, at $name',
    async (profile) => {
      const [first, second] = await attempts(profile, `strict-${wireOf(profile)}`, [plain, either], 2);
      const leftOut = [{ tool: 'files/find', reason: 'keyword', pointer: '/anyOf' }];
      expect(first).toMatchObject({ refused: 1, trace: { end: 'answered', leftOut } });
      expect(second).toMatchObject({ refused: 0, trace: { end: 'answered', leftOut } });
    },
  );

  test('leaves the agent with tools in words if it is the only one', async () => {
    const [ended] = await attempts(openAi, null, [either]);
    expect(ended).toMatchObject({ refused: 0, tooManyFunctions: true, calls: [] });
  });
});

/** Refuses a format that no one said anything of, each in its own words. */
const oddAt = (tools: readonly { readonly function: { readonly parameters: unknown } }[]): number =>
  tools.findIndex((each) => JSON.stringify(each.function.parameters).includes('odd-format'));
const refusesOdd =
  (refuse: (at: number) => Refused): Rule =>
  ({ body: { tools } }) =>
    oddAt(tools) < 0 ? null : refuse(oddAt(tools));

const refusing: readonly Profile[] = [
  {
    ...openAi,
    rules: [
      ...openAi.rules,
      refusesOdd((at) => refused('Invalid schema.', `tools[${at}].function.parameters`, 'invalid_function_parameters')),
    ],
  },
  {
    ...gemini,
    rules: [
      ...gemini.rules,
      refusesOdd((at) =>
        refused(
          `* GenerateContentRequest.tools[0].function_declarations[${at}].parameters.properties[when].format: only 'enum' and 'date-time' are supported for STRING type\n`,
        ),
      ),
    ],
  },
  {
    ...claude,
    otherWires: {
      '/messages': (body, headers, answer) => {
        const tools = readTools(body);
        const at = tools.findIndex((each) => JSON.stringify(each).includes('odd-format'));
        return at < 0
          ? (claude.otherWires?.['/messages']?.(body, headers, answer) ?? [])
          : refused(`tools.${at}.custom.input_schema: JSON schema is invalid.`);
      },
    },
  },
];

function readTools(body: unknown): readonly unknown[] {
  const tools = typeof body === 'object' && body !== null && 'tools' in body ? body.tools : [];
  return Array.isArray(tools) ? tools : [];
}

describe('a tool that the endpoint refuses', () => {
  test.each(refusing)('is set aside by the words of $name, and the attempt continues', async (profile) => {
    const another = { ...odd, name: 'files/other', description: 'is odd too' };
    const [first, second] = await attempts(profile, `odd-${profile.model}`, [plain, odd, another], 2);
    const leftOut = ['files/odd', 'files/other'].map((tool) => ({ tool, reason: 'refused', pointer: null }));
    expect(first).toMatchObject({ trace: { end: 'answered', fault: null, leftOut } });
    expect(first?.refused).toBeGreaterThanOrEqual(2);
    expect(second).toMatchObject({ refused: 0, trace: { end: 'answered', leftOut } });
  });

  test('stays set aside only as long as it is the same', async () => {
    const [profile] = refusing;
    if (profile === undefined) throw new Error('there is no stand-in');
    const [first] = await attempts(profile, 'mended', [odd, plain]);
    const [mended] = await attempts(profile, 'mended', [toolWith('files/odd', plain.inputSchema), plain]);
    expect(first?.trace.leftOut).toHaveLength(1);
    expect(mended).toMatchObject({ refused: 0, trace: { end: 'answered' } });
    expect(mended?.trace).not.toHaveProperty('leftOut');
  });
});
