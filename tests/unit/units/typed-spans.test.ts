import { describe, expect, it } from 'vitest';
import { resolveArgumentPath, listRequiredArguments, type RequiredArgument } from '#core/catalog/argument-paths.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { Pair } from '#core/units/answers.ts';
import { checkPairStatically } from '#core/units/static-check.ts';

type Schema = Tool['inputSchema'];

const first: Tool = { name: 'x/first', server: 'x', domain: 'd', category: 'read', inputSchema: { type: 'object' } };

/** What the check finds on the arguments of a tool whose sources are spans of both requests. */
function findingsOn(inputSchema: Schema, spans: Readonly<Record<string, string>>, words?: string) {
  const text = words ?? Object.values(spans).join(' then ');
  const pair: Pair = {
    source: `Please handle ${text}`,
    followUp: `I want this handled: ${text}`,
    chain: ['x/first', 'x/second'],
    arguments: Object.entries(spans).map(([argument, span]) => ({
      step: 2,
      argument,
      source: { kind: 'span' as const, text: span },
    })),
    facts: [],
  };
  return checkPairStatically(pair, [first, { ...first, name: 'x/second', inputSchema }]).findings;
}

const required = (properties: Readonly<Record<string, unknown>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

const verdictOn = (property: unknown, span: string, words?: string): string | undefined =>
  findingsOn(required({ value: property }), { value: span }, words)[0]?.verdict;

const objects = { type: 'array', items: required({ from: { type: 'string' }, to: { type: 'string' } }) };

describe('a word that stands for an argument of another type', () => {
  // Spans with which a writer sourced arguments of real servers.
  it.each([
    { argument: 'operations', type: objects, span: 'files/directories' },
    { argument: 'urls', type: { type: 'array', items: { type: 'string', format: 'uri' } }, span: 'multiple' },
    { argument: 'data', type: { type: 'object' }, span: 'write' },
    { argument: 'values', type: { type: 'array', items: { type: 'array', items: {} } }, span: 'absolute' },
    { argument: 'target_page', type: required({ index: { type: 'integer' } }), span: 'allows' },
    { argument: 'pages', type: { type: 'array', items: { type: 'string' } }, span: 'get_pages' },
    { argument: 'count', type: { type: 'integer' }, span: 'steps' },
    { argument: 'ratio', type: { type: ['number', 'null'] }, span: 'the usual one' },
    { argument: 'scores', type: { type: 'array', items: { type: 'number' } }, span: 'north, south' },
    { argument: 'mail', type: { type: 'string', format: 'email' }, span: 'the office' },
    { argument: 'pair', type: { type: 'array', items: { type: 'string' }, minItems: 2 }, span: 'Anna' },
  ])('says no value for $argument: "$span"', ({ type, span }) => {
    expect(verdictOn(type, span)).toBe('no');
  });

  it.each([
    { type: { type: 'boolean' }, span: 'carefully' },
    { type: { enum: ['car', 'bike'] }, span: 'on two wheels' },
    { type: { type: 'string', format: 'date' }, span: 'at Christmas' },
    { type: { type: 'string', format: 'uri' }, span: 'the site of the museum' },
    { type: { type: 'array', items: { type: 'string' } }, span: 'notes.txt' },
    { type: objects, span: 'lists.csv to old, and notes.txt to new' },
    { type: { type: 'object' }, span: 'colour: red' },
    { type: { type: 'number' }, span: 'สาม' },
  ])('leaves "$span" for $type to the critic', ({ type, span }) => {
    expect(verdictOn(type, span)).toBe('unknown');
  });
});

describe('a span that says a value of the type', () => {
  it.each([
    { type: { type: 'integer' }, span: '30 minutes' },
    { type: { type: 'number' }, span: 'half an hour' },
    { type: { type: 'integer' }, span: 'twenty-two' },
    { type: { type: 'integer' }, span: '三天' },
    { type: { type: 'integer' }, span: '٣' },
    { type: { type: 'boolean' }, span: 'true' },
    { type: { enum: ['driving_car', 'bike'] }, span: 'driving car' },
    { type: { const: 7 }, span: 'all 7 of them' },
    { type: { type: 'string', format: 'date' }, span: '17 May 2030' },
    { type: { type: 'string', format: 'date' }, span: 'tomorrow' },
    { type: { type: 'string', format: 'date-time' }, span: '2030-05-17T08:30:00Z' },
    { type: { type: 'string', format: 'email' }, span: 'info@example.org' },
    { type: { type: 'string', format: 'uri' }, span: 'example.org' },
    { type: { type: 'array', items: { type: 'string' } }, span: 'Anna, Ben and Carl' },
    { type: { type: 'array', items: { type: 'number' } }, span: '3, 5 and 8' },
    { type: { type: 'array', items: { type: 'number' } }, span: '[3, 5, 8]' },
    { type: objects, span: '[{"from": "a", "to": "b"}]' },
    { type: { type: 'object' }, span: '{"colour": "red"}' },
    { type: { type: 'string' }, span: 'anything at all' },
    { type: {}, span: 'anything at all' },
    { type: { anyOf: [{ type: 'integer' }, { type: 'string' }] }, span: 'anything' },
    { type: { oneOf: [{ type: 'null' }, { type: 'integer' }] }, span: 'four' },
  ])('is accepted: "$span" for $type', ({ type, span }) => {
    expect(verdictOn(type, span)).toBe('yes');
  });

  it('has to be what the schema allows if it is written as JSON', () => {
    expect(verdictOn(objects, '[{"from": "a"}]')).toBe('no');
  });

  it('can be the only item of a list if the requests quote it', () => {
    const list = { type: 'array', items: { type: 'string' } };
    expect([verdictOn(list, 'harbour'), verdictOn(list, 'harbour', 'the word "harbour"')]).toEqual(['no', 'unknown']);
  });

  it('is read with the definitions of the schema', () => {
    const schema = { ...required({ count: { $ref: '#/$defs/count' } }), $defs: { count: { type: 'integer' } } };
    expect(findingsOn(schema, { count: 'some' })[0]?.verdict).toBe('no');
    expect(findingsOn(schema, { count: 'three' })[0]?.verdict).toBe('yes');
  });
});

describe('required fields inside of an argument', () => {
  const schema = required({
    filter: required({ city: { type: 'string' }, radius: { type: 'number' } }),
    items: { type: 'array', items: required({ name: { type: 'string' }, count: { type: 'integer' } }) },
  });
  const paths = ({ path, inner }: RequiredArgument): string[] => [path, ...inner.flatMap(paths)];

  it('are listed by path', () => {
    expect(listRequiredArguments(schema).flatMap(paths)).toEqual([
      'filter',
      'filter.city',
      'filter.radius',
      'items',
      'items[].name',
      'items[].count',
    ]);
  });

  it('have sources of their own, each checked by its type', () => {
    const findings = findingsOn(schema, {
      'filter.city': 'Oslo',
      'filter.radius': 'nearby',
      'items[0].name': 'lamp',
      'items.count': 'three',
    });
    expect(findings.map(({ argument, verdict }) => [argument, verdict])).toEqual([
      ['filter.city', 'yes'],
      ['filter.radius', 'no'],
      ['items[].name', 'yes'],
      ['items[].count', 'yes'],
    ]);
  });

  it('without a source are open, while an argument of which nothing has a source is a no', () => {
    const findings = findingsOn(schema, { 'filter.city': 'Oslo' });
    expect(findings.map(({ argument, verdict }) => [argument, verdict])).toEqual([
      ['filter.city', 'yes'],
      ['filter.radius', 'unknown'],
      ['items', 'no'],
    ]);
  });

  it('need none where the whole argument has one', () => {
    const whole = findingsOn(schema, { filter: '{"city": "Oslo", "radius": 3}', 'items[].name': 'lamp' });
    expect(whole.map(({ argument, verdict }) => [argument, verdict])).toEqual([
      ['filter', 'yes'],
      ['items[].name', 'yes'],
      ['items[].count', 'unknown'],
    ]);
  });

  it('are found by names with dots, and in lists of lists; an unknown field has any type', () => {
    const odd = required({ 'a.b': { type: 'integer' }, grid: { type: 'array', items: { type: 'array' } } });
    expect(resolveArgumentPath(odd, 'a.b')).toEqual({ top: 'a.b', path: 'a.b', schema: { type: 'integer' } });
    expect(resolveArgumentPath(odd, 'grid[]')).toMatchObject({
      top: 'grid',
      path: 'grid[]',
      schema: { type: 'array' },
    });
    expect(resolveArgumentPath(odd, 'gone.away')).toEqual({ top: 'gone', path: 'gone.away', schema: {} });
  });

  it('end in a schema that refers to itself', () => {
    const tree = { type: 'object', properties: { child: { $ref: '#' } }, required: ['child'] };
    expect(listRequiredArguments(tree).flatMap(paths).length).toBeLessThan(10);
    const wide = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`f${n}`, { $ref: '#' }]));
    expect(listRequiredArguments({ ...required(wide) }).flatMap(paths).length).toBeLessThan(100);
  });
});
