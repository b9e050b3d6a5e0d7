import { expect, test } from 'vitest';
import { compareArgumentsWithSchema } from '#adapters/mcp/failure-rules.ts';
import { Steps } from '#core/values/json-schema/steps.ts';
import { cpuMsOf } from '../support/cpu-time.ts';

const search = {
  type: 'object',
  properties: { query: { type: 'string' }, limit: { type: 'integer', maximum: 50 } },
  required: ['query'],
};
const closed = { ...search, additionalProperties: false };

type Fields = Record<string, unknown>;
const cases: [what: string, schema: Fields, args: Fields, violates: boolean | null, unknown: string[]][] = [
  ['arguments that fit', search, { query: 'a', limit: 3 }, false, []],
  ['a missing one', search, { limit: 3 }, true, []],
  ['one of another type', search, { query: 7 }, true, []],
  ['one out of range', search, { query: 'a', limit: 51 }, true, []],
  ['an unnamed key that is let pass', search, { query: 'a', page: 2 }, false, ['page']],
  ['an unnamed key that is forbidden', closed, { query: 'a', page: 2 }, true, ['page']],
  ['a key that every object has', closed, { query: 'a', toString: 1 }, true, ['toString']],
  ['unnamed keys further down', search, { query: 'a', limit: 1, at: { page: 2 } }, false, ['at']],
  ['a schema that names no keys', { type: 'object' }, { page: 2 }, false, []],
  ['a schema that wants no keys', { type: 'object', properties: {} }, { page: 2 }, false, ['page']],
  ['a key by pattern', { ...closed, patternProperties: { '^x-': {} } }, { query: 'a', 'x-page': 2 }, false, []],
  ['a schema open to any key', { ...search, additionalProperties: true }, { query: 'a', page: 2 }, false, []],
  [
    'a schema for all other keys',
    { ...search, additionalProperties: { type: 'string' } },
    { query: 'a', page: 2 },
    true,
    [],
  ],
  [
    'keys that an alternative names',
    { ...search, anyOf: [{ properties: { page: {} } }, { allOf: [{ properties: { cursor: {} } }] }] },
    { query: 'a', page: 2, cursor: 'b', offset: 1 },
    false,
    ['offset'],
  ],
  [
    'keys that a reference may name',
    { ...search, $ref: '#/$defs/more', $defs: { more: { properties: { page: {} } } } },
    { query: 'a', page: 2, offset: 1 },
    false,
    [],
  ],
  [
    'a pattern that cannot be applied',
    { type: 'object', properties: { query: { type: 'string', pattern: '(?i)a' } }, patternProperties: { '(?i)x': {} } },
    { query: 'a', page: 2 },
    null,
    [],
  ],
  [
    'an older draft, where a bound is marked as exclusive',
    {
      $schema: 'http://json-schema.org/draft-04/schema#',
      type: 'object',
      properties: { n: { minimum: 1, exclusiveMinimum: true } },
    },
    { n: 1 },
    true,
    [],
  ],
];

test.each(cases)('%s', (_what, schema, args, violatesSchema, unknownKeys) => {
  const given = JSON.stringify(schema);
  expect(compareArgumentsWithSchema(schema, args, new Steps(10_000))).toEqual({ violatesSchema, unknownKeys });
  expect(JSON.stringify(schema)).toBe(given);
});

test('a check that has used up its steps makes no claim', () => {
  for (let most = 0; most < 40; most += 1) {
    const { violatesSchema, unknownKeys } = compareArgumentsWithSchema(
      closed,
      { query: 'a', limit: 3 },
      new Steps(most),
    );
    expect([violatesSchema, unknownKeys]).toEqual([expect.toBeOneOf([null, false]), []]);
  }
});

test('checking pattern properties against argument names stays within the allowed steps', () => {
  const patterns = Array.from({ length: 2_000 }, (_, i) => [`^(x+)+${i}$`, {}]);
  const names = Array.from({ length: 4_000 }, (_, i) => [`${'x'.repeat(30)}${i}`, 1]);
  const schema = { ...closed, patternProperties: Object.fromEntries(patterns) };
  const args = Object.fromEntries(names);
  const check = () => expect(compareArgumentsWithSchema(schema, args, new Steps(400_000)).unknownKeys).toEqual([]);
  expect(cpuMsOf(check)).toBeLessThan(400);
});
