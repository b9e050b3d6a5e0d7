import { readFileSync } from 'node:fs';
import { Validator, type Schema } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { profileNamed } from '../support/endpoints/profiles.ts';
import { modelsAt } from '../support/endpoints/models-at.ts';
import { serveProfile } from '../support/endpoints/serve.ts';
import { work } from '../support/endpoints/work.ts';

const published = z
  .object({
    components: z.object({
      schemas: z.record(
        z.string(),
        z.custom<Schema>((value) => typeof value === 'object'),
      ),
    }),
  })
  .parse(JSON.parse(readFileSync('tests/fixtures/openai/schemas.json', 'utf8')));
const { schemas } = published.components;

const validators = new Map<string, Validator>();
function objectionsOf(name: string, body: unknown): string[] {
  const schema = { $ref: `#/components/schemas/${name}`, ...structuredClone(published) };
  const validator = validators.get(name) ?? new Validator(schema, '2020-12', false);
  validators.set(name, validator);
  const { valid, errors } = validator.validate(body);
  return valid ? unknownFields(name, body) : errors.map((each) => `${each.instanceLocation} ${each.error}`);
}

const withParts = z.looseObject({
  $ref: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  allOf: z.array(z.unknown()).default([]),
});

/** The schemas are open, but OpenAI refuses fields that it does not know. */
function unknownFields(name: string, body: unknown): string[] {
  const known = new Set(fieldsOf(schemas[name]));
  return Object.keys(z.record(z.string(), z.unknown()).parse(body)).filter((field) => !known.has(field));
}

function fieldsOf(schema: unknown): string[] {
  const { $ref: ref, properties, allOf } = withParts.parse(schema);
  const referred = ref === undefined ? [] : fieldsOf(schemas[ref.split('/').at(-1) ?? '']);
  return [...Object.keys(properties), ...allOf.flatMap(fieldsOf), ...referred];
}

/** Lets two agents work and two questions be asked at a stand-in; returns the bodies of what was sent. */
async function sentTo(name: string) {
  const profile = profileNamed(name);
  const served = await serveProfile(profile);
  try {
    await work(modelsAt(served, profile, profile.baseUrl));
    return { chat: served.accepted.map(({ sent }) => sent), responses: served.others };
  } finally {
    await served.close();
  }
}

describe("a request as OpenAI's published document describes it", () => {
  test.each(['OpenAI gpt-5.4', 'OpenAI o4-mini', 'Azure OpenAI'])(
    'is what %s gets over chat completions',
    async (name) => {
      const { chat } = await sentTo(name);
      expect(chat).toHaveLength(7);
      expect(chat.map((body) => objectionsOf('CreateChatCompletionRequest', body))).toEqual(chat.map(() => []));
    },
  );

  test('is what OpenAI gpt-5.6 gets over the Responses API', async () => {
    const { chat, responses } = await sentTo('OpenAI gpt-5.6');
    expect(chat).toEqual([]);
    expect(responses).toHaveLength(7);
    expect(responses.map((body) => objectionsOf('CreateResponse', body))).toEqual(responses.map(() => []));
  });

  test('is none with a field that it does not know, or of another form', () => {
    const chat = { model: 'm', messages: [{ role: 'user', content: 'go' }] };
    expect(objectionsOf('CreateChatCompletionRequest', chat)).toEqual([]);
    expect(objectionsOf('CreateChatCompletionRequest', { ...chat, random_seed: 1 })).toEqual(['random_seed']);
    expect(objectionsOf('CreateChatCompletionRequest', { ...chat, messages: [] })).not.toEqual([]);
    expect(
      objectionsOf('CreateChatCompletionRequest', { ...chat, tools: [{ type: 'function', name: 'a' }] }),
    ).not.toEqual([]);
    const response = { model: 'm', input: [{ role: 'user', content: 'go' }] };
    expect(objectionsOf('CreateResponse', response)).toEqual([]);
    expect(objectionsOf('CreateResponse', { ...response, seed: 1 })).toEqual(['seed']);
    const call = { type: 'function_call', name: 'a', arguments: '{}' };
    expect(objectionsOf('CreateResponse', { ...response, input: [call] })).not.toEqual([]);
    expect(objectionsOf('CreateResponse', { ...response, tools: [{ type: 'function', function: {} }] })).not.toEqual(
      [],
    );
  });
});
