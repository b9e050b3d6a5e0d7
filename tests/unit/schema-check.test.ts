import { expect, test } from 'vitest';
import { inputSchemaProblem, outputSchemaProblem } from '#adapters/mcp/schema-check.ts';

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...more,
});

test.each([
  object({}),
  { type: 'object' },
  object({ a: true, b: {} }),
  object({ a: { type: ['string', 'null'], pattern: '^[\\w-]+$' } }, { required: ['a'], additionalProperties: false }),
  object({ a: { $ref: '#/$defs/b' } }, { $defs: { b: { type: 'array', items: { $ref: '#/$defs/b' } } } }),
  object(
    { a: { $ref: '#/definitions/b' } },
    { definitions: { b: {} }, $schema: 'http://json-schema.org/draft-07/schema#' },
  ),
  object({ a: { items: [{ type: 'string' }], additionalItems: false } }),
  object({ a: { exclusiveMinimum: true, minimum: 0 } }, { $schema: 'http://json-schema.org/draft-04/schema#' }),
  object({
    type: { type: 'string' },
    required: { type: 'boolean' },
    properties: { type: 'object' },
    $ref: { type: 'string' },
  }),
  object({ a: { enum: ['x', 1, null], default: { $ref: 'not a reference' }, examples: [{ type: 7 }] } }),
  {},
  { type: ['object'] },
  { $ref: '#/$defs/a', $defs: { a: { type: 'object' } } },
])('accepts the valid schema %#', (schema) => {
  expect(inputSchemaProblem(schema)).toBeUndefined();
});

test.each([
  { type: 'string' },
  { type: ['string', 'null'] },
  object({ a: 'string' }),
  object({ a: null }),
  object({ a: { type: 'text' } }),
  object({ a: { type: [] } }),
  object({ a: { items: { anyOf: {} } } }),
  object({ a: { anyOf: ['string'] } }),
  object({ a: { pattern: '(' } }),
  object({ a: { patternProperties: { '[': {} } } }),
  object({ a: { enum: 'x' } }),
  object({ a: { minLength: -1 } }),
  object({ a: { maximum: '9' } }),
  object({ a: { required: true } }),
  object({ a: { $ref: '#/$defs/none' } }),
  object({ a: { $ref: 'https://example.com/other.json' } }),
  object({ a: { $ref: 'http://[' } }),
  { type: 'object', properties: ['a'] },
  { type: 'object', required: 'a' },
  Array.from({ length: 100 }).reduce<Record<string, unknown>>((inner) => object({ a: inner }), object({})),
])('refuses the broken schema %#', (schema) => {
  expect(inputSchemaProblem(schema)).toBeTypeOf('string');
});

test.each([{ type: 'array', items: { type: 'string' } }, { type: 'null' }, {}, { oneOf: [{ type: 'string' }] }])(
  'accepts %j for results, which may be any value',
  (schema) => {
    expect(outputSchemaProblem(schema)).toBeUndefined();
  },
);

test('does not modify the schema', () => {
  const schema = Object.freeze(object(Object.freeze({ a: Object.freeze({ type: 'string' }) })));
  expect(inputSchemaProblem(schema)).toBeUndefined();
});
