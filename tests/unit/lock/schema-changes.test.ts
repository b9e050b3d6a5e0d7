import { expect, test } from 'vitest';
import { listInputChanges, listOutputChanges } from '#core/reports/lock/schema-changes.ts';

const object = (properties: Readonly<Record<string, unknown>>, required: readonly string[] = [], more = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});
const text = { type: 'string' };

test.each([
  ['an argument that is gone', object({ a: text, b: text }), object({ a: text }), true, 'argument "b" is gone'],
  ['a new optional argument', object({ a: text }), object({ a: text, b: text }), false, 'argument "b" is new'],
  ['a new required argument', object({}), object({ b: text }, ['b']), true, 'argument "b" is new and required'],
  [
    'an argument that is needed now',
    object({ a: text }),
    object({ a: text }, ['a']),
    true,
    'argument "a" is required now',
  ],
  [
    'an argument that can be left out now',
    object({ a: text }, ['a']),
    object({ a: text }),
    false,
    'argument "a" is optional now',
  ],
  [
    'another type',
    object({ a: text }),
    object({ a: { type: 'number' } }),
    true,
    'argument "a" is number now, and was string',
  ],
  [
    'a further type',
    object({ a: text }),
    object({ a: { type: ['string', 'null'] } }),
    false,
    'argument "a" is string or null now, and was string',
  ],
  [
    'a number where integers were taken',
    object({ a: { type: 'integer' } }),
    object({ a: { type: 'number' } }),
    false,
    'argument "a" is number now, and was integer',
  ],
  [
    'an integer where numbers were taken',
    object({ a: { type: 'number' } }),
    object({ a: { type: 'integer' } }),
    true,
    'argument "a" is integer now, and was number',
  ],
  [
    'a value less',
    object({ a: { enum: ['x', 'y'] } }),
    object({ a: { enum: ['x'] } }),
    true,
    'argument "a" takes "x" now, and took "x", "y"',
  ],
  [
    'a value more',
    object({ a: { enum: ['x'] } }),
    object({ a: { enum: ['x', 'y'] } }),
    false,
    'argument "a" takes "x", "y" now, and took "x"',
  ],
  [
    'a tighter bound',
    object({ a: { maximum: 10 } }),
    object({ a: { maximum: 5 } }),
    true,
    'argument "a": maximum is 5 now, and was 10',
  ],
  [
    'a wider bound',
    object({ a: { minLength: 3 } }),
    object({ a: {} }),
    false,
    'argument "a": minLength is open now, and was 3',
  ],
  ['a nested argument', object({ a: object({ b: text }) }), object({ a: object({}) }), true, 'argument "a.b" is gone'],
  [
    'an item of a list',
    object({ a: { items: text } }),
    object({ a: { items: { type: 'number' } } }),
    true,
    'argument "a[]" is number now, and was string',
  ],
  [
    'a list of names that is closed now',
    object({}),
    object({}, [], { additionalProperties: false }),
    true,
    'arguments that the schema does not name are refused now',
  ],
])('%s is told, and whether it breaks calls', (_, before, now, breaks, what) => {
  expect(listInputChanges(before, now)).toEqual([{ breaks, what }]);
});

test('schemas that say the same in other words of JSON Schema have not changed', () => {
  const referring = { ...object({ a: { $ref: '#/$defs/name' } }), $defs: { name: text } };
  expect(listInputChanges(object({ a: text }), referring)).toEqual([]);
});

test('for who reads results, a lost or wider field breaks, and a new one does not', () => {
  expect(listOutputChanges(object({ a: text }, ['a']), object({ a: text }))).toEqual([
    { breaks: true, what: 'result field "a" is not always there now' },
  ]);
  expect(listOutputChanges(object({ a: text }), object({ a: { type: ['string', 'null'] }, b: text }))).toEqual([
    { breaks: true, what: 'result field "a" is string or null now, and was string' },
    { breaks: false, what: 'result field "b" is new' },
  ]);
  expect(listOutputChanges(object({}), undefined)).toMatchObject([{ breaks: true }]);
  expect(listOutputChanges(undefined, object({}))).toMatchObject([{ breaks: false }]);
});

test('a result that becomes one of several forms has fields that are not always there', () => {
  const item = (properties: Record<string, unknown>) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
  });
  const of = (items: unknown) => ({ type: 'object', properties: { parts: { type: 'array', items } } });
  const image = item({ type: { type: 'string' }, data: { type: 'string' } });
  const resource = item({ type: { type: 'string' }, uri: { type: 'string' } });
  expect(listOutputChanges(of(image), of({ anyOf: [image, resource] }))).toEqual([
    { breaks: true, what: 'result field "parts[].data" is not always there now' },
    { breaks: false, what: 'result field "parts[].uri" is new' },
  ]);
});
