import { describe, expect, test } from 'vitest';
import { convertFunctionSchemaForProfile } from '#core/models/function-schemas/write-function-schema.ts';

const write = (schema: Record<string, unknown>, profile: 'any' | 'openai' | 'anthropic' | 'gemini') =>
  convertFunctionSchemaForProfile(schema, profile);
const ofField = (field: unknown, others: Record<string, unknown> = {}) => ({
  type: 'object',
  properties: { x: field },
  ...others,
});

describe('for Gemini', () => {
  const gemini = (field: unknown, others = {}) => {
    const result = write(ofField(field, others), 'gemini');
    return result.ok ? result.schema['properties'] : result.refusal;
  };

  test.each([
    ['a text or null', { type: ['string', 'null'], minLength: 1 }, { type: 'string', minLength: 1, nullable: true }],
    [
      'null as an alternative',
      { anyOf: [{ type: 'string' }, { type: 'null' }], title: 'X' },
      { type: 'string', nullable: true, title: 'X' },
    ],
    ['a constant', { const: 'text' }, { type: 'string', enum: ['text'] }],
    [
      'values with null',
      { type: ['string', 'null'], enum: ['a', null] },
      { type: 'string', enum: ['a'], nullable: true },
    ],
    ['values that their type excludes', { type: 'string', enum: ['a', 1] }, { type: 'string', enum: ['a'] }],
    ['numbers in a row', { enum: [1, 2, 3] }, { type: 'integer', minimum: 1, maximum: 3 }],
    ['one integer more', { type: 'integer', exclusiveMinimum: 0 }, { type: 'integer', minimum: 1 }],
    ['a number that is more', { type: 'number', exclusiveMinimum: 0 }, { type: 'number', minimum: Number.MIN_VALUE }],
    ['a bound of draft 4', { type: 'integer', minimum: 0, exclusiveMinimum: true }, { type: 'integer', minimum: 1 }],
    [
      'two types',
      { type: ['string', 'number'], minimum: 1 },
      { anyOf: [{ type: 'string' }, { type: 'number', minimum: 1 }] },
    ],
    ['a list', { type: 'array' }, { type: 'array', items: {} }],
    ['a closed object', { ...ofField({ type: 'string' }), additionalProperties: false }, ofField({ type: 'string' })],
    ['what says nothing', { type: 'string', default: 'a', examples: ['b'], 'x-y': 1 }, { type: 'string' }],
    [
      'alternatives of different types',
      { oneOf: [{ type: 'string' }, { type: 'number' }] },
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
    ],
    ['an alternative that nothing fits', { anyOf: [{ not: {} }, { type: 'string' }] }, { type: 'string' }],
    ['a single part', { allOf: [{ $ref: '#/$defs/p' }], default: 1 }, { type: 'string', description: 'where' }],
    [
      'a reference with more beside it',
      { $ref: '#/$defs/p', minLength: 1 },
      { type: 'string', description: 'where', minLength: 1 },
    ],
  ])('says %s', (_what, field, expected) => {
    const defs = { $defs: { p: { type: 'string', description: 'where' } } };
    expect(gemini(field, defs)).toEqual({ x: expected });
  });

  test('an ignored `nullable` of the server stays ignored', () => {
    expect(gemini({ type: 'string', nullable: true })).toEqual({ x: { type: 'string' } });
  });

  test('siblings of a reference count as they do in the draft of the schema', () => {
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', definitions: { p: { type: 'string' } } };
    expect(gemini({ $ref: '#/definitions/p', minLength: 9 }, draft7)).toEqual({ x: { type: 'string' } });
  });

  test.each([
    ['multipleOf', { type: 'number', multipleOf: 2 }, 'keyword', '/properties/x/multipleOf'],
    [
      'a map',
      { type: 'object', additionalProperties: { type: 'string' } },
      'keyword',
      '/properties/x/additionalProperties',
    ],
    ['a tuple', { type: 'array', items: [{ type: 'string' }] }, 'keyword', '/properties/x/prefixItems'],
    ['one truth value', { const: true }, 'values', '/properties/x/const'],
    [
      'overlapping alternatives',
      { oneOf: [{ minLength: 1 }, { maxLength: 3 }] },
      'overlapping-alternatives',
      '/properties/x/oneOf',
    ],
    ['a reference to itself', { $ref: '#' }, 'recursive-reference', '/properties/x/$ref'],
    ['a reference to nothing', { $ref: '#/$defs/none' }, 'broken-reference', '/properties/x/$ref'],
    ['no value at all', false, 'nothing-fits', '/properties/x'],
    ['a type that there is not', { type: 'text' }, 'no-schema', '/properties/x/type'],
  ])('refuses %s, with the place', (_what, field, reason, pointer) => {
    expect(gemini(field)).toEqual({ reason, pointer });
  });

  test('alternatives are told apart by a field that each requires', () => {
    const kind = (name: string) => ({ ...ofField({ const: name }), required: ['x'] });
    expect(gemini({ oneOf: [kind('a'), kind('b')] })).toHaveProperty('x.anyOf.1.properties.x.enum', ['b']);
    expect(gemini({ oneOf: [kind('a'), kind('a')] })).toHaveProperty('reason', 'overlapping-alternatives');
  });

  test('a list of thousands of values is written', () => {
    const values = Array.from({ length: 3_000 }, (_, at) => `v${at}`);
    expect(gemini({ type: 'string', enum: values })).toEqual({ x: { type: 'string', enum: values } });
  });

  test('a schema whose references multiply is refused before it takes long', () => {
    const level = (next: number) => ({
      type: 'object',
      properties: Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, { $ref: `#/$defs/n${next}` }])),
    });
    const $defs = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`n${n}`, n === 11 ? {} : level(n + 1)]));
    const begun = performance.now();
    expect(write({ ...level(0), $defs }, 'gemini')).toMatchObject({ refusal: { reason: 'too-large' } });
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});

describe('for OpenAI', () => {
  test('an object without properties gets none, and an array gets items', () => {
    expect(write({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }, 'openai')).toEqual({
      ok: true,
      schema: { type: 'object', properties: {} },
      rewrites: ['dialect-dropped', 'properties-added'],
    });
    expect(write(ofField({ type: 'array' }), 'openai')).toMatchObject({
      schema: ofField({ type: 'array', items: {} }),
      rewrites: ['items-added'],
    });
  });

  test('a tuple becomes what draft 2020-12 calls it', () => {
    const tuple = { type: 'array', items: [{ type: 'string' }], additionalItems: false };
    expect(write(ofField(tuple), 'openai')).toMatchObject({
      schema: ofField({ type: 'array', prefixItems: [{ type: 'string' }], items: false }),
    });
  });

  test('a reference at the top is inlined, and recursive ones stay', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/definitions/node' } } };
    expect(write({ $ref: '#/definitions/node', definitions: { node } }, 'openai')).toMatchObject({
      schema: { ...node, definitions: { node } },
    });
  });

  test.each(['anyOf', 'oneOf'])('%s at the top is refused', (keyword) => {
    expect(write(ofField({}, { [keyword]: [{ required: ['x'] }, { required: ['y'] }] }), 'openai')).toEqual({
      ok: false,
      refusal: { reason: 'keyword', pointer: `/${keyword}` },
    });
  });

  test('a schema of something else than an object is refused', () => {
    expect(write({ type: 'string' }, 'openai')).toMatchObject({ refusal: { reason: 'no-object', pointer: '/type' } });
  });
});

describe('for Anthropic', () => {
  test('a field whose name the endpoint refuses is named', () => {
    expect(write({ type: 'object', properties: { 'filter[id]': {} } }, 'anthropic')).toMatchObject({
      refusal: { reason: 'field-name', pointer: '/properties/filter[id]' },
    });
    expect(write(ofField(ofField({}, { 'filter[id]': {} })), 'anthropic').ok).toBe(true);
  });
});

test('where nothing is published, a schema that cannot be written is left as it is', () => {
  const schema = { type: 'object', anyOf: [{ required: ['x'] }], properties: { x: { $ref: '#/$defs/none' } } };
  expect(write({ ...schema, $schema: 'x' }, 'any')).toEqual({ ok: true, schema, rewrites: ['dialect-dropped'] });
});
