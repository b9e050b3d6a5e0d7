import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkValueAgainstSchema } from '#core/values/json-schema/check.ts';
import type { JsonObject } from '#core/values/json-schema/json-object.ts';
import { convertFunctionSchemaForProfile } from '#core/models/function-schemas/write-function-schema.ts';
import { findBrokenRule } from '../../../support/endpoints/function-schema-rules.ts';
import { readGeminiSchema } from '../../../support/read-gemini-schema.ts';

const profiles = ['any', 'openai', 'anthropic', 'gemini'] as const;
const names = ['a', 'b', 'c'] as const;
const texts = fc.constantFrom('', 'x', 'yy', 'zzz');
const numbers = fc.constantFrom(-1, 0, 0.5, 1, 2, 3, 5e-324);

/** Values that the schemas below tell apart, without fields that they do not name. */
const { value } = fc.letrec<{ value: unknown; list: unknown[]; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(texts, numbers, fc.boolean(), fc.constant(null)),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 3 }),
}));
const args = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 });

const typeName = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');
const leaf = fc.oneof(
  fc.constant({}),
  fc.constant({ description: 'what it is', default: 1, 'x-of': 'nobody' }),
  fc.record({ type: typeName }),
  fc.record({ type: fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 }) }),
  fc.record({ type: fc.constantFrom('string', ['string', 'null']), minLength: fc.nat(2), nullable: fc.boolean() }),
  fc.record({ maxLength: fc.nat(2) }),
  fc.record({ type: fc.constantFrom('integer', 'number'), exclusiveMinimum: numbers, maximum: numbers }),
  fc.record({ type: fc.constant('number'), minimum: numbers, exclusiveMinimum: fc.boolean() }),
  fc.record({ exclusiveMaximum: numbers }),
  fc.record({ enum: fc.uniqueArray(fc.oneof(texts, numbers, fc.boolean(), fc.constant(null)), { minLength: 1 }) }),
  fc.record({
    type: fc.constantFrom('string', 'integer', ['string', 'null']),
    enum: fc.uniqueArray(fc.oneof(texts, numbers, fc.constant(null)), { minLength: 1 }),
  }),
  fc.record({ const: fc.oneof(texts, numbers, fc.boolean(), fc.constant(null)) }),
  fc.record({ $ref: fc.constantFrom('#/$defs/p', '#/$defs/q', '#/definitions/r', '#/$defs/leaf', '#/$defs/leaf') }),
);
const { node } = fc.letrec<{ node: JsonObject }>((tie) => {
  const properties = fc.dictionary(fc.constantFrom(...names), tie('node'), { maxKeys: 3 });
  const required = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 });
  const branches = fc.array(tie('node'), { minLength: 1, maxLength: 3 });
  const more = { additionalProperties: fc.constantFrom(true, false, {}) };
  return {
    node: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.record({ type: fc.constantFrom('object', ['object', 'null']), properties, required }),
      fc.record({ type: fc.constant('object'), properties, ...more }, { requiredKeys: ['properties'] }),
      fc.record({ type: fc.constant('array'), items: tie('node'), minItems: fc.nat(2) }, { requiredKeys: ['type'] }),
      fc.record({
        type: fc.constant('array'),
        items: fc.array(tie('node'), { maxLength: 2 }),
        additionalItems: fc.boolean(),
      }),
      fc.record({ anyOf: branches, description: fc.constant('either') }, { requiredKeys: ['anyOf'] }),
      fc.record({ type: typeName, anyOf: branches }),
      fc.record({ oneOf: branches }),
      fc.record({ allOf: branches, default: fc.constant(1) }),
      fc.record({ $ref: fc.constantFrom('#/$defs/p', '#/$defs/leaf'), description: texts, minLength: fc.nat(2) }),
      fc.record({ not: fc.oneof(tie('node'), fc.constantFrom(true, {})) }),
      fc.record({ anyOf: fc.tuple(fc.constant({ not: {} }), tie('node')) }),
    ),
  };
});
const schema: fc.Arbitrary<JsonObject> = fc.record(
  {
    $schema: fc.constantFrom('http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'),
    type: fc.constant('object'),
    properties: fc.dictionary(fc.constantFrom(...names), node, { minKeys: 1, maxKeys: 3 }),
    required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
    additionalProperties: fc.constantFrom(true, false),
    $defs: fc.record({ p: node, q: node, leaf }),
    definitions: fc.record({ r: node }),
  },
  { requiredKeys: ['type', 'properties', '$defs', 'definitions'] },
);
const withUnion: fc.Arbitrary<JsonObject> = fc
  .tuple(schema, fc.array(fc.record({ required: fc.subarray([...names]) }), { minLength: 1, maxLength: 2 }), node)
  .map(([each, anyOf, part]) => ({ ...each, anyOf, allOf: [part] }));
const anySchema = fc.oneof({ arbitrary: schema, weight: 6 }, { arbitrary: withUnion, weight: 1 });

test.each(profiles)('the same arguments fit a schema and what is written of it for %s', (profile) => {
  let written = 0;
  fc.assert(
    fc.property(anySchema, fc.array(args, { minLength: 12, maxLength: 12 }), (original, instances) => {
      const result = convertFunctionSchemaForProfile(original, profile);
      if (!result.ok) return;
      const read = profile === 'gemini' ? readGeminiSchema(result.schema) : result.schema;
      for (const instance of instances) {
        const meant = profile === 'gemini' ? openObjects(original) : original;
        const [before, after] = [meant, read].map((each) => checkValueAgainstSchema(each, instance).verdict);
        if (before === 'undecided' || after === 'undecided') continue;
        expect([after, instance, original, result.schema]).toEqual([before, instance, original, result.schema]);
        written += 1;
      }
    }),
    { numRuns: 600 },
  );
  expect(written).toBeGreaterThan(400);
});

test.each(profiles)('what is written for %s breaks no rule of it, and writing it again changes nothing', (profile) => {
  fc.assert(
    fc.property(anySchema, (original) => {
      const result = convertFunctionSchemaForProfile(original, profile);
      if (!result.ok) return;
      if (profile !== 'any') expect(findBrokenRule(result.schema, profile)).toBeNull();
      const read = profile === 'gemini' ? readGeminiSchema(result.schema) : result.schema;
      const again = convertFunctionSchemaForProfile(structuredClone(read), profile);
      expect(again.ok && again.schema).toEqual(result.schema);
    }),
    { numRuns: 500 },
  );
});

/** Takes away what Gemini's declarations cannot say: whether an object may have fields beside those that are listed. */
function openObjects(schema: JsonObject): JsonObject {
  const text = JSON.stringify(schema, (key, each: unknown) => (key === 'additionalProperties' ? undefined : each));
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}
