import { schemaOfNamesAndTypesOnly, schemaWithoutDialect } from '#core/catalog/shown-schemas.ts';
import { expect, test } from 'vitest';

test('models see a schema without the name of its dialect, and with everything else', () => {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', additionalProperties: false };
  expect(schemaWithoutDialect(schema)).toEqual({ type: 'object', additionalProperties: false });
});

test('a schema of results is reduced to names and types, at every depth', () => {
  const schema = {
    $schema: 'x',
    type: 'object',
    description: 'A list.',
    required: ['entries'],
    additionalProperties: false,
    properties: {
      entries: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: { size: { type: 'integer', minimum: 0 }, description: { type: 'string' } },
        },
      },
      next: { anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }], default: null },
      tags: { type: 'object', additionalProperties: { type: ['string', 'null'], maxLength: 3 } },
      owner: { $ref: '#/$defs/owner' },
      anything: true,
    },
    $defs: { owner: { type: 'string', enum: ['a', 'b'] } },
  };
  expect(schemaOfNamesAndTypesOnly(schema)).toEqual({
    type: 'object',
    properties: {
      entries: {
        type: 'array',
        items: { type: 'object', properties: { size: { type: 'integer' }, description: { type: 'string' } } },
      },
      next: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      tags: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
      owner: { $ref: '#/$defs/owner' },
      anything: true,
    },
    $defs: { owner: { type: 'string' } },
  });
});
