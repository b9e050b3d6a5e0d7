import { expect, test } from 'vitest';
import type { Tool } from '#core/catalog/tool.ts';
import { listFindingsOfDefinitions } from '#core/reports/tool-report/definition-findings.ts';
import { describeToolDefinition } from '#core/reports/tool-report/tool-definition.ts';

type Defined = Pick<Tool, 'name' | 'description' | 'inputSchema'>;

const object = (properties: Readonly<Record<string, unknown>>) => ({ type: 'object', properties });
const clean: Defined = {
  name: 'notes/add',
  description: 'Adds a note.',
  inputSchema: object({ text: { type: 'string', description: 'What the note says' } }),
};

const found = (...tools: readonly Partial<Defined>[]) =>
  listFindingsOfDefinitions(tools.map((changes) => describeToolDefinition({ ...clean, ...changes })));
const kinds = (...tools: readonly Partial<Defined>[]) => found(...tools).map(({ kind, severity }) => [kind, severity]);

test('nothing is found about a tool that says what it takes in a form that every endpoint takes', () => {
  expect(found({})).toEqual([]);
});

test('a schema that OpenAI and Anthropic refuse is found with the place, and is worse than one that Gemini alone refuses', () => {
  const union = { ...object({}), anyOf: [object({ a: { type: 'string' } }), object({ b: { type: 'string' } })] };
  expect(found({ inputSchema: union })).toMatchObject([
    {
      kind: 'schema-refused',
      severity: 'high',
      tool: 'notes/add',
      sentence: 'OpenAI and Anthropic refuse its schema, which cannot be rewritten with the same meaning',
      evidence: ['OpenAI: keyword at /anyOf', 'Anthropic: keyword at /anyOf'],
      units: [],
    },
  ]);
  const map = object({ fields: { type: 'object', description: 'x', additionalProperties: { type: 'string' } } });
  expect(found({ inputSchema: map })).toMatchObject([
    {
      severity: 'medium',
      sentence: 'Gemini refuses its schema, which cannot be rewritten with the same meaning',
      evidence: ['Gemini: keyword at /properties/fields/additionalProperties'],
    },
  ]);
});

test('a schema that has to be rewritten is worth a look, but not what nearly every schema has', () => {
  expect(found({ inputSchema: object({ ids: { type: 'array', description: 'Which notes' } }) })).toMatchObject([
    { kind: 'schema-rewritten', severity: 'low', evidence: expect.arrayContaining(['OpenAI: items-added']) },
  ]);
  const usual = {
    ...clean.inputSchema,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    additionalProperties: false,
  };
  expect(found({ inputSchema: usual })).toEqual([]);
});

test('names that endpoints refuse, alone or behind that of their server, are found', () => {
  expect(kinds({ name: `notes/${'a'.repeat(64)}` })).toEqual([['name-refused', 'medium']]);
  expect(kinds({ name: 'notes/add.note' })).toEqual([['name-refused', 'medium']]);
  expect(kinds({ name: `notes/${'a'.repeat(60)}` })).toEqual([['name-shortened', 'low']]);
  expect(kinds({ name: `notes/${'a'.repeat(56)}` })).toEqual([]);
});

test('a description that is missing or blank is found', () => {
  expect(kinds({ description: undefined })).toEqual([['description-missing', 'medium']]);
  expect(kinds({ description: ' \n' })).toEqual([['description-missing', 'medium']]);
});

test('a description that clients or endpoints cut or refuse is found with those that do', () => {
  expect(found({ description: 'a'.repeat(1_024) })).toEqual([]);
  expect(found({ description: 'a'.repeat(1_025) })).toMatchObject([
    { kind: 'description-long', severity: 'low', evidence: [expect.stringContaining('Azure OpenAI')] },
  ]);
  const longest = found({ description: 'a'.repeat(8_001) });
  expect(longest[0]).toMatchObject({ kind: 'description-long', severity: 'medium' });
  expect(longest[0]?.evidence).toHaveLength(3);
});

test('descriptions that differ in nothing but spaces and case are the same', () => {
  const all = found(
    {},
    { name: 'notes/append', description: 'adds  a note.\n' },
    { name: 'notes/list', description: 'x' },
  );
  expect(all).toMatchObject([
    { kind: 'description-shared', tool: 'notes/add', evidence: ['notes/append'] },
    { kind: 'description-shared', tool: 'notes/append', evidence: ['notes/add'] },
  ]);
  expect(kinds({ description: '' }, { name: 'notes/list', description: '' })).toEqual([
    ['description-missing', 'medium'],
    ['description-missing', 'medium'],
  ]);
});

test('arguments that nothing describes are named, those described where a reference leads are not', () => {
  const schema = {
    ...object({ a: { type: 'string' }, b: { $ref: '#/$defs/b' }, c: { type: 'string', description: ' ' } }),
    $defs: { b: { type: 'string', description: 'What b is' } },
  };
  const undescribed = found({ inputSchema: schema }).find(({ kind }) => kind === 'arguments-undescribed');
  expect(undescribed).toMatchObject({
    severity: 'low',
    sentence: '2 of 3 arguments have no description',
    evidence: ['a', 'c'],
  });
});

test('a long definition and a long list of tools are found by their tokens, with those that cost most', () => {
  const field = { type: 'string', description: 'a'.repeat(4_000) };
  expect(kinds({ inputSchema: object({ field }) })).toEqual([['definition-costly', 'low']]);
  const many = (count: number) =>
    found(
      ...Array.from({ length: count }, (_, place) => ({
        name: `notes/t${place}`,
        description: `Tool ${place}`,
        inputSchema: object({ field: { ...field, description: 'a'.repeat(3_500 + 4 * place) } }),
      })),
    );
  expect(many(20)).toEqual([]);
  const [low] = many(24);
  expect(low).toMatchObject({ kind: 'list-costly', severity: 'low', tool: null });
  expect(low?.evidence).toHaveLength(10);
  expect(low?.evidence[0]).toMatch(/^notes\/t23: \d+$/);
  expect(many(60)[0]).toMatchObject({ severity: 'medium' });
});
