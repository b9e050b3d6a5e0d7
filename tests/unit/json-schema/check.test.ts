import { Validator, type Schema } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkValueAgainstSchema, type Checked } from '#core/values/json-schema/check.ts';
import type { JsonObject } from '#core/values/json-schema/json-object.ts';
import { Steps } from '#core/values/json-schema/steps.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';

const verdictOn = (schema: JsonObject, value: unknown): Checked['verdict'] =>
  checkValueAgainstSchema(schema, value).verdict;

const scalar = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  1,
  2,
  -1,
  1.5,
  3,
  '',
  'a',
  'ab',
  '😀',
  'x-1',
  '2026-02-29',
);
const key = fc.constantFrom('a', 'b', 'c', 'x-1', '__proto__', 'constructor');
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('any')), { maxLength: 4 }).map((entries) => JSON.parse(jsonOf(entries))),
  ),
})).any;
/** An object as JSON text makes it: `__proto__` is a key like any other. */
const jsonOf = (entries: readonly (readonly [string, unknown])[]): string =>
  `{${entries.map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`).join(',')}}`;

const count = fc.integer({ min: 0, max: 3 });
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');
const schema = fc.letrec<{ any: unknown; map: unknown }>((tie) => ({
  map: fc.array(fc.tuple(key, tie('any')), { maxLength: 3 }).map((entries) => JSON.parse(jsonOf(entries))),
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.boolean(),
    fc
      .array(
        fc.oneof(
          fc.tuple(fc.constant('type'), fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 }))),
          fc.tuple(fc.constant('enum'), fc.array(value, { minLength: 1, maxLength: 3 })),
          fc.tuple(fc.constant('const'), value),
          fc.tuple(
            fc.constantFrom('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
            fc.integer({ min: -1, max: 3 }),
          ),
          fc.tuple(fc.constant('multipleOf'), fc.constantFrom(1, 2, 0.5)),
          fc.tuple(
            fc.constantFrom('minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'),
            count,
          ),
          fc.tuple(fc.constant('pattern'), fc.constantFrom('^a', '^x-', 'b$', '^.$')),
          fc.tuple(fc.constant('format'), fc.constantFrom('date', 'email', 'no-such-format')),
          fc.tuple(fc.constant('uniqueItems'), fc.boolean()),
          fc.tuple(fc.constant('required'), fc.uniqueArray(key, { maxLength: 2 })),
          fc.tuple(fc.constant('$ref'), fc.constantFrom('#', '#/$defs/one', '#/$defs/two')),
          fc.tuple(
            fc.constantFrom('allOf', 'anyOf', 'oneOf', 'prefixItems'),
            fc.array(tie('any'), { minLength: 1, maxLength: 3 }),
          ),
          fc.tuple(fc.constantFrom('not', 'if', 'then', 'else', 'items', 'contains', 'propertyNames'), tie('any')),
          fc.tuple(fc.constantFrom('additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'), tie('any')),
          fc.tuple(fc.constantFrom('minContains', 'maxContains'), count),
          fc.tuple(fc.constantFrom('properties', 'dependentSchemas'), tie('map')),
          fc.tuple(
            fc.constant('dependentRequired'),
            fc.dictionary(fc.constantFrom('a', 'b'), fc.uniqueArray(key, { maxLength: 2 })),
          ),
          fc.tuple(
            fc.constant('patternProperties'),
            fc.dictionary(fc.constantFrom('^a', '^x-', 'c'), tie('any'), { maxKeys: 2 }),
          ),
        ),
        { maxLength: 4 },
      )
      .map((keywords) => Object.fromEntries(keywords)),
  ),
}));
const root = fc
  .tuple(schema.any, schema.any, schema.any)
  .map(([any, one, two]) => ({ ...(typeof any === 'object' ? any : { not: !any }), $defs: { one, two } }));

/** Another implementation's verdict; undefined where it does not come to one. */
const reference = (given: JsonObject, subject: unknown): Checked['verdict'] | undefined => {
  try {
    const own: Schema = structuredClone(given);
    return new Validator(own, '2020-12').validate(subject).valid ? 'fits' : 'violates';
  } catch {
    return undefined;
  }
};

describe('the schema check', () => {
  it('agrees with another implementation if both decide', () => {
    let decided = 0;
    fc.assert(
      fc.property(root, value, (given, subject) => {
        const verdict = verdictOn(given, subject);
        const expected = reference(given, subject);
        if (verdict === 'undecided' || expected === undefined) return;
        decided += 1;
        expect(verdict).toBe(expected);
      }),
      { numRuns: 4_000 },
    );
    expect(decided).toBeGreaterThan(3_000);
  });

  it('reports nothing wrong after its steps are used up', () => {
    fc.assert(
      fc.property(root, value, fc.nat({ max: 200 }), (given, subject, most) => {
        const { verdict } = checkValueAgainstSchema(given, subject, new Steps(most));
        expect([verdictOn(given, subject), 'undecided']).toContain(verdict);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<[what: string, schema: JsonObject, value: unknown, Checked['verdict']]>([
    ['an anchor', { $ref: '#one', $defs: { a: { $anchor: 'one', type: 'string' } } }, 1, 'violates'],
    ['an id', { $ref: 'one.json', $defs: { a: { $id: 'one.json', type: 'string' } } }, 'a', 'fits'],
    [
      'a pointer below an id',
      { $ref: 'one.json#/$defs/b', $defs: { a: { $id: 'one.json', $defs: { b: false } } } },
      1,
      'violates',
    ],
    ['an escaped pointer', { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': false } }, 1, 'violates'],
    ['a reference that leads nowhere', { $ref: '#/$defs/none' }, 1, 'undecided'],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, 1, 'undecided'],
    ['what stands beside a reference', { $ref: '#/$defs/a', minimum: 3, $defs: { a: {} } }, 1, 'violates'],
    [
      'the same in draft 7',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $ref: '#/definitions/a',
        minimum: 3,
        definitions: { a: {} },
      },
      1,
      'fits',
    ],
    ['items by place in older drafts', { items: [{ type: 'string' }], additionalItems: false }, ['a', 'b'], 'violates'],
    [
      'dependencies in older drafts',
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      { a: 1, b: 1, c: 1 },
      'violates',
    ],
    ['an exclusive bound of draft 4', { minimum: 1, exclusiveMinimum: true }, 1, 'violates'],
    ['a dynamic reference', { $dynamicRef: '#a' }, 1, 'undecided'],
    ['decimals', { multipleOf: 0.1 }, 0.3, 'fits'],
    ['1 and 1.0', { enum: [1] }, JSON.parse('1.0'), 'fits'],
    ['a pattern that is not matched, beside a violation', { pattern: '(?<=a)b', minLength: 9 }, 'ab', 'violates'],
    ['a pattern that is not matched', { anyOf: [{ pattern: '(?<=a)b' }, false] }, 'ab', 'undecided'],
    ['a pattern that is not matched, where another decides', { anyOf: [{ pattern: '(?<=a)b' }, {}] }, 'ab', 'fits'],
    [
      'a key that may match',
      { patternProperties: { '(?<=a)b': {} }, additionalProperties: false },
      { ab: 1 },
      'undecided',
    ],
    [
      'keywords of another form',
      { type: 7, properties: [], items: 'x', required: true, enum: {}, minLength: '9' },
      'a',
      'violates',
    ],
  ])('supports %s', (_what, given, subject, verdict) => {
    expect(verdictOn(given, subject)).toBe(verdict);
  });

  it.each([
    ['date', ['2024-02-29'], ['2026-02-29', '2026-13-01', 'today', '2026-1-1']],
    ['time', ['23:59:60Z', '10:00:00.5+02:00'], ['24:00:00Z', '10:00', '10:00:00']],
    ['date-time', ['2026-11-22T10:00:00Z'], ['2026-11-22', '2026-11-22T25:00:00Z']],
    ['email', ['a.b@c.example', '"a b"@c.example'], ['a@', '@b', 'a..b@c.example', 'a b@c.example']],
    ['hostname', ['a-b.example'], ['-a.example', 'a..b', 'a'.repeat(64)]],
    ['ipv4', ['10.0.0.255'], ['10.0.0.256', '10.0.0', '1.2.3.4.5']],
    ['ipv6', ['::1', '::ffff:1.2.3.4'], ['1.2.3.4', ':::', 'g::']],
    ['uri', ['https://a.example/b?c#d', 'urn:a:b'], ['/a', 'a b:c', 'https://a b']],
    ['uuid', ['0190a5c4-7b1e-7c3a-9d2f-3b8c6e1f0a2d'], ['0190a5c4']],
  ])('supports the format %s', (format, right, wrong) => {
    expect(right.map((text) => verdictOn({ format }, text))).toEqual(right.map(() => 'fits'));
    expect(wrong.map((text) => verdictOn({ format }, text))).toEqual(wrong.map(() => 'violates'));
  });

  it('reports what is wrong and where, up to a limit', () => {
    const list = { properties: { list: { items: { type: 'string', pattern: '^a' } } } };
    expect(checkValueAgainstSchema(list, { list: ['a', 1, 'b'] })).toEqual({
      verdict: 'violates',
      violations: ['#/list/1: is of type integer, not string', '#/list/2: does not match the pattern ^a'],
    });
    const many = checkValueAgainstSchema({ items: false }, Array.from({ length: 1_000 }));
    expect(many).toMatchObject({ verdict: 'violates', violations: { length: 20 } });
  });

  const doubled = (depth: number): JsonObject => {
    const levels = Array.from({ length: depth }, (_, i) => [
      `l${i}`,
      { allOf: [{ $ref: `#/$defs/l${i + 1}` }, { $ref: `#/$defs/l${i + 1}` }] },
    ]);
    return { $ref: '#/$defs/l0', $defs: { ...Object.fromEntries(levels), [`l${depth}`]: { type: 'object' } } };
  };
  const deep = (levels: number): unknown => JSON.parse(`${'[1,'.repeat(levels)}1${']'.repeat(levels)}`);
  const numbers = Array.from({ length: 100_000 }, (_, i) => i);
  const named = (names: number, each: unknown): JsonObject =>
    Object.fromEntries(numbers.slice(0, names).map((i) => [`x${i}`, each]));

  it.each<[what: string, schema: JsonObject, value: unknown, Checked['verdict']]>([
    ['a pattern that backtracks', { pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`, 'violates'],
    ['references doubled at each of 40 levels', doubled(40), {}, 'undecided'],
    ['references that come back to themselves', { $ref: '#' }, 1, 'undecided'],
    ['unique objects, 8,000', { uniqueItems: true }, numbers.slice(0, 8_000).map((n) => ({ n })), 'fits'],
    ['unique objects, 250,000', { uniqueItems: true }, Array.from({ length: 250_000 }, (_, n) => ({ n })), 'undecided'],
    ['patterns of keys times keys', { patternProperties: named(2_000, {}) }, named(4_000, 1), 'undecided'],
    [
      'a huge enum for many items',
      { items: { enum: numbers.slice(0, 50_000) } },
      numbers.slice(0, 10_000).map((n) => n + 0.5),
      'violates',
    ],
    ['many keywords for many items', { items: named(50_000, {}) }, numbers, 'undecided'],
    [
      'an object of many keys, counted often',
      { allOf: numbers.map(() => ({ minProperties: 1 })) },
      named(100_000, 1),
      'undecided',
    ],
    ['a value a million levels deep', { items: { $ref: '#' } }, deep(1_000_000), 'undecided'],
    ['deep values that are to be equal', { const: deep(5_000) }, deep(5_000), 'undecided'],
    ['a reference of half a megabyte', { items: { $ref: `#/${'a'.repeat(500_000)}` } }, numbers, 'undecided'],
    ['types by the thousand', { items: { type: numbers.map(() => 'string') } }, numbers, 'violates'],
  ])('takes bounded time for %s', (_what, given, subject, verdict) => {
    expect(cpuMsOf(() => expect(verdictOn(given, subject)).toBe(verdict))).toBeLessThan(400);
  });
});
