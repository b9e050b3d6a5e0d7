import { describe, expect, it } from 'vitest';

import type { Tool } from '#core/catalog/tool.ts';
import type { Pair } from '#core/units/answers.ts';
import { hasFixedOrDefaultValue, hasFieldVerdict, listRequiredTopLevelNames } from '#core/catalog/schema-fields.ts';
import { resolveArgumentPath } from '#core/catalog/argument-paths.ts';
import { checkPairStatically } from '#core/units/static-check.ts';
import { minAuditGrade, nextAfterAudit } from '#core/units/tiers.ts';

const tool = (name: string, over: Partial<Tool> = {}): Tool => ({
  name,
  server: name.split('/')[0] ?? '',
  domain: 'travel',
  category: 'search',
  inputSchema: { type: 'object' },
  ...over,
});

const needs = (...required: string[]): Tool['inputSchema'] => ({
  type: 'object',
  properties: { unit: { type: 'string', default: 'km' }, mode: { enum: ['car'] }, kind: { enum: ['a', 'b'] } },
  required,
});

const places: Tool = tool('maps/find_place', {
  inputSchema: needs('query'),
  outputSchema: {
    type: 'object',
    properties: { results: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } } },
  },
});
const route = tool('maps/route', { inputSchema: needs('to', 'unit') });
const hash = tool('calc/hash', { inputSchema: needs() });

const pair = (over: Partial<Pair> = {}): Pair => ({
  source: 'How do I get to  the Old Town Hall by car?',
  followUp: 'I would like to drive to the old town hall.',
  chain: ['maps/find_place', 'maps/route'],
  arguments: [
    { step: 1, argument: 'query', source: { kind: 'span', text: 'the old TOWN hall' } },
    { step: 2, argument: 'to', source: { kind: 'field', step: 1, field: 'results[0].id' } },
    { step: 2, argument: 'unit', source: { kind: 'default' } },
  ],
  facts: [],
  ...over,
});

const check = (over: Partial<Pair> = {}) => checkPairStatically(pair(over), [places, route, hash]);

describe('the static check', () => {
  it('leaves a composed value open, whatever its type', () => {
    const thought = tool('mind/think', {
      inputSchema: {
        type: 'object',
        properties: { thought: { type: 'string' }, more: { type: 'boolean' } },
        required: ['thought', 'more'],
      },
    });
    const { findings, solvable } = checkPairStatically(
      pair({
        chain: ['mind/think', 'calc/hash'],
        arguments: [
          { step: 1, argument: 'thought', source: { kind: 'composed' } },
          { step: 1, argument: 'more', source: { kind: 'composed' } },
        ],
      }),
      [thought, hash],
    );
    expect(findings.map(({ verdict }) => verdict)).toEqual(['unknown', 'unknown']);
    expect(solvable).toBe(true);
  });

  describe('of a value that is put together from several places', () => {
    const trip = tool('maps/trip', {
      inputSchema: { type: 'object', properties: { stops: { type: 'array' } }, required: ['stops'] },
    });
    const checkStops = (...texts: string[]) =>
      checkPairStatically(
        pair({
          chain: ['maps/trip', 'calc/hash'],
          arguments: texts.map((text) => ({ step: 1, argument: 'stops', source: { kind: 'span', text } })),
        }),
        [trip, hash],
      ).findings.map(({ verdict }) => verdict);

    it('takes parts of another type, which the whole could not be', () => {
      expect(checkStops('old town', 'hall')).toEqual(['yes']);
      expect(checkStops('old town hall')).toEqual(['no']);
    });

    it('refuses a part that is not in both requests', () => {
      expect(checkStops('old town', 'by car')).toEqual(['no']);
    });
  });

  it('follows spans, fields and defaults', () => {
    const { findings, violations, solvable } = check();
    expect(findings.map(({ step, argument, verdict }) => [step, argument, verdict])).toEqual([
      [1, 'query', 'yes'],
      [2, 'to', 'yes'],
      [2, 'unit', 'yes'],
    ]);
    expect(violations).toEqual([]);
    expect(solvable).toBe(true);
  });

  const to = (source: Pair['arguments'][number]['source']): Partial<Pair> => ({
    arguments: [...pair().arguments.filter(({ argument }) => argument !== 'to'), { step: 2, argument: 'to', source }],
  });

  it.each([
    {
      name: 'a span that only one request has',
      source: { kind: 'span', text: 'by car' },
      verdict: 'no',
      why: /followUp/,
    },
    { name: 'a blank span', source: { kind: 'span', text: '  ' }, verdict: 'no', why: /blank/ },
    { name: 'a default that is none', source: { kind: 'default' }, verdict: 'no', why: /no default/ },
    {
      name: 'a field that is not there',
      source: { kind: 'field', step: 1, field: 'place' },
      verdict: 'no',
      why: /no "place"/,
    },
    {
      name: 'a field of the step itself',
      source: { kind: 'field', step: 2, field: 'id' },
      verdict: 'no',
      why: /earlier/,
    },
    {
      name: 'a field of a step that does not exist',
      source: { kind: 'field', step: 9, field: 'id' },
      verdict: 'no',
      why: /earlier/,
    },
  ] as const)('says $verdict to $name', ({ source, verdict, why }) => {
    const result = check(to(source));
    const finding = result.findings.find(({ argument }) => argument === 'to');
    expect(finding?.verdict).toBe(verdict);
    expect(finding?.reason).toMatch(why);
    expect(result.solvable).toBe(false);
  });

  it('says no to an argument without a source, and unknown to an undescribed output', () => {
    expect(check({ arguments: [] }).findings.every(({ verdict }) => verdict === 'no')).toBe(true);
    const blind = checkPairStatically(pair(), [{ ...places, outputSchema: undefined }, route]);
    expect(blind.findings.map(({ verdict }) => verdict)).toEqual(['yes', 'unknown', 'yes']);
    expect(blind.solvable).toBe(true);
  });

  it('requires every source of an argument to be valid', () => {
    const both = {
      arguments: [...pair().arguments, ...(to({ kind: 'span', text: 'Paris' }).arguments ?? []).slice(-1)],
    };
    expect(check(both).findings.find(({ argument }) => argument === 'to')?.verdict).toBe('no');
  });

  it.each([
    { name: 'too short', over: { chain: ['maps/route'] }, why: /less than 2/ },
    { name: 'with a stranger', over: { chain: ['maps/route', 'maps/fly'] }, why: /maps\/fly, which is no candidate/ },
  ])('refuses a chain $name, which no wording can fix', ({ over, why }) => {
    const { chainViolations, violations, solvable } = check(over);
    expect(chainViolations.join()).toMatch(why);
    expect(violations).toEqual(expect.arrayContaining([...chainViolations]));
    expect(solvable).toBe(false);
  });

  it('lets a chain name a tool twice, and follows the sources of each of its steps', () => {
    const again = [
      ...pair().arguments,
      { step: 3, argument: 'query', source: { kind: 'span' as const, text: 'drive' } },
    ];
    const repeated = check({
      chain: [...pair().chain, 'maps/find_place'],
      arguments: again,
      source: 'drive to the old town hall',
    });
    expect(repeated.chainViolations).toEqual([]);
    expect(repeated.findings.map(({ step, argument, verdict }) => [step, argument, verdict])).toEqual([
      [1, 'query', 'yes'],
      [2, 'to', 'yes'],
      [2, 'unit', 'yes'],
      [3, 'query', 'yes'],
    ]);
    const unnamed = check({ chain: [...pair().chain, 'maps/find_place'] });
    expect(unnamed.findings.at(-1)).toMatchObject({ step: 3, verdict: 'no', reason: 'no source is named' });
  });

  it.each([
    { text: 'Call find_place for the old town hall', named: true },
    { text: 'Call Find_Place, please, for the old town hall', named: true },
    { text: 'Use maps/route to the old town hall', named: true },
    { text: 'The route to the old town hall, and a hash of it', named: false },
    { text: 'my_find_place_2 is a file about the old town hall', named: false },
  ])('finds tool names in "$text": $named', ({ text, named }) => {
    const { violations, chainViolations } = check({ source: text });
    expect(violations.some((violation) => violation.includes('source names the tool'))).toBe(named);
    expect(chainViolations).toEqual([]);
  });

  it.each([
    { own: 'createNode', text: 'then createNode it', named: true },
    { own: 'toDo', text: 'what is left todo', named: false },
    { own: 'git-log', text: 'show the git-log of today', named: true },
  ])('accepts $own in "$text" as a name: $named', ({ own, text, named }) => {
    const { violations } = checkPairStatically(pair({ followUp: text }), [places, route, tool(`x/${own}`)]);
    expect(violations.some((violation) => violation.includes('followUp names'))).toBe(named);
  });

  it('refuses two identical requests', () => {
    const { violations } = check({ followUp: 'how do I get to the old  town hall by car? ' });
    expect(violations).toEqual(['source and followUp are the same text']);
  });
});

describe('schema fields', () => {
  it.each([
    ['results', 'yes'],
    ['$.results', 'yes'],
    ['results.0.id', 'yes'],
    ['results[].id', 'yes'],
    ['results.id', 'yes'],
    ['results[0]["id"]', 'yes'],
    ['results[0].name', 'no'],
    ['id', 'no'],
  ] as const)('are found for %s in a list of results: %s', (path, verdict) => {
    expect(hasFieldVerdict(places.outputSchema ?? {}, path)).toBe(verdict);
  });

  it.each([
    { schema: {}, path: 'a', verdict: 'unknown' },
    { schema: { type: 'object' }, path: 'a', verdict: 'unknown' },
    { schema: { type: 'string' }, path: 'a', verdict: 'no' },
    { schema: { properties: {}, additionalProperties: true }, path: 'a', verdict: 'unknown' },
    { schema: { properties: {}, additionalProperties: { type: 'string' } }, path: 'a', verdict: 'unknown' },
    { schema: { properties: {}, additionalProperties: false }, path: 'a', verdict: 'no' },
    { schema: { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }, path: 'b', verdict: 'yes' },
    { schema: { allOf: [{ $ref: '#/$defs/x' }], $defs: { x: { properties: { a: {} } } } }, path: 'a', verdict: 'yes' },
    { schema: { prefixItems: [{ properties: { a: {} } }] }, path: '0.a', verdict: 'yes' },
    { schema: { properties: { a: { type: 'integer' } } }, path: 'a.b', verdict: 'no' },
    { schema: { properties: { a: {} } }, path: 'toString', verdict: 'no' },
  ] as const)('gives $verdict for $path in $schema', ({ schema, path, verdict }) => {
    expect(hasFieldVerdict(schema, path)).toBe(verdict);
  });

  it('ends on schemas that refer to themselves in many ways', () => {
    const many = Array.from({ length: 200 }, () => ({ $ref: '#' }));
    expect(hasFieldVerdict({ anyOf: many, allOf: many }, 'a.b.c')).toBe('no');
    expect(listRequiredTopLevelNames({ allOf: many, required: ['a'] })).toEqual(['a']);
    const tree = { properties: { child: { $ref: '#' }, name: {} } };
    expect(hasFieldVerdict(tree, 'child.child.child.name')).toBe('yes');
  });

  it('knows required arguments and the fields of schemas', () => {
    const schema = { $ref: '#/$defs/in', $defs: { in: { required: ['a', 3], properties: { a: { const: 1 } } } } };
    expect(listRequiredTopLevelNames(schema)).toEqual(['a']);
    const gives = (root: Tool['inputSchema'], name: string) =>
      hasFixedOrDefaultValue(resolveArgumentPath(root, name).schema, root);
    expect(gives(schema, 'a')).toBe(true);
    expect(gives(route.inputSchema, 'unit')).toBe(true);
    expect(gives(route.inputSchema, 'mode')).toBe(true);
    expect(gives(route.inputSchema, 'kind')).toBe(false);
    expect(gives(route.inputSchema, 'toString')).toBe(false);
  });
});

describe('the tier of a unit', () => {
  const rules = { passScore: 80, acceptScore: 90, maxRefinements: 3 };

  it.each([
    { score: 90, solvable: true, refinements: 0, next: 'accept' },
    { score: 89.9, solvable: true, refinements: 0, next: 'review' },
    { score: 80, solvable: true, refinements: 3, next: 'review' },
    { score: 79.9, solvable: true, refinements: 2, next: 'refine' },
    { score: 79.9, solvable: true, refinements: 3, next: 'reject' },
    { score: 100, solvable: false, refinements: 0, next: 'refine' },
    { score: 100, solvable: false, refinements: 3, next: 'reject' },
  ])('with score $score, solvable: $solvable, after $refinements refinements is $next', ({ next, ...audited }) => {
    expect(nextAfterAudit(audited, rules)).toBe(next);
  });

  it('follows from the lower grade of a pair', () => {
    expect(minAuditGrade({ semanticEquivalence: 95, parameterSolvability: 70 })).toBe(70);
  });
});
