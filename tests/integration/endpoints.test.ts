import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ModelConfig } from '#adapters/model/openai.ts';
import { runFunctionCalling } from '#agents/function-calling.ts';
import { runPromptedCalling } from '#agents/prompted-calling.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { agentLimits } from '#core/models/limits.ts';
import type { ModelCall } from '#core/ports.ts';
import type { Profile } from '../support/endpoints/profile.ts';
import { profiles } from '../support/endpoints/profiles.ts';
import { connections, modelsAt } from '../support/endpoints/models-at.ts';
import { serveProfile } from '../support/endpoints/serve.ts';

/** What published servers write into the schemas and descriptions of their tools. */
const tools: Tool[] = [
  {
    name: 'files/read',
    server: 'files',
    domain: 'files',
    category: 'filesystem',
    description: `Reads a file. ${'It says at length what it does. '.repeat(46)}`,
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        path: { type: ['string', 'null'], minLength: 1 },
        lines: { type: 'integer', exclusiveMinimum: 0, default: 10 },
        mode: { const: 'text' },
        place: { $ref: '#/$defs/place' },
      },
      $defs: { place: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
      required: ['path'],
      additionalProperties: false,
    },
  },
];

const schema = z.object({ n: z.int() });

/** Asks two questions and lets two agents work. Returns how each ended, and the calls that were paid. */
async function work(models: ReturnType<typeof modelsAt>) {
  const calls: ModelCall[] = [];
  const questions: string[] = [];
  for (let seed = 0; seed < 2; seed += 1) {
    const messages = [{ role: 'user' as const, content: 'Give me a number' }];
    const answer = await models.askForJson({
      role: 'writer',
      prompt: { id: 'p@v1', messages },
      form: 'number',
      schema,
      seed,
    });
    calls.push(...answer.calls);
    questions.push(
      answer.ok ? `n: ${answer.value.n}` : answer.reason === 'fault' ? answer.fault.detail : answer.detail,
    );
  }
  const input = { tools, model: models, connections, limits: agentLimits.parse({}), seed: 1, now: () => 0 };
  const ask = (content: string) => ({ id: 'agent@v1', messages: [{ role: 'user' as const, content }] });
  const native = await runFunctionCalling({ ...input, prompt: ask('Read two files') });
  const prompted = await runPromptedCalling({ ...input, prompt: ask('Write your calls as JSON. Read a file') });
  calls.push(...native.calls, ...prompted.calls);
  return {
    questions,
    native: { end: native.trace.end, calls: native.trace.steps.length, fault: native.fault?.detail ?? null },
    prompted: { end: prompted.trace.end, calls: prompted.trace.steps.length },
    calls,
  };
}

async function workAt(profile: Profile, baseUrl: string, dialect?: ModelConfig['dialect']) {
  const served = await serveProfile(profile);
  try {
    const done = await work(modelsAt(served, profile, baseUrl, dialect));
    const adaptations = [...new Set(done.calls.flatMap((call) => call.adaptations ?? []))].toSorted();
    return { ...done, adaptations, refused: served.refusals.length, accepted: served.accepted };
  } finally {
    await served.close();
  }
}

const works = {
  questions: ['n: 3', 'n: 3'],
  native: { end: 'answered', calls: 2, fault: null },
  prompted: { end: 'answered', calls: 1 },
};

const documentation = readFileSync('docs/models.md', 'utf8');
/** The row of an endpoint in docs/models.md, without its sources. */
const rowOf = (name: string): string[] | undefined =>
  documentation
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find((cells) => cells[1] === name)
    ?.slice(1, 4);

/** What no refusal says has to be set. */
const settings: ReadonlyMap<string, Readonly<Partial<Record<'own' | 'behind', ModelConfig['dialect']>>>> = new Map([
  ['Azure OpenAI', { behind: { authentication: 'api-key' } }],
  ['Anthropic (Messages)', { behind: { wire: 'messages' } }],
  ['Anthropic (compatibility layer)', { own: { wire: 'chat' } }],
]);

describe.each(profiles)('$name', (profile) => {
  test('takes what is sent to its own address, or is learnt, as its row in docs/models.md says', async () => {
    const own = await workAt(profile, profile.baseUrl, settings.get(profile.name)?.own);
    expect(own).toMatchObject(works);
    const gateway = new URL(profile.baseUrl);
    gateway.host = `${profile.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.gateway.example.com`;
    const behind = await workAt(profile, gateway.href, settings.get(profile.name)?.behind);
    expect(behind).toMatchObject(works);
    const say = ({ refused, adaptations }: typeof own): string =>
      refused === 0 ? 'nothing' : `${refused}: ${adaptations.map((each) => `\`${each}\``).join(', ')}`;
    expect(rowOf(profile.name)).toEqual([profile.name, say(own), say(behind)]);
  });
});
