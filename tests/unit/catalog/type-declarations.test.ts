import { describe, expect, test } from 'vitest';
import { declareTool, makeIdentifiersOfTools } from '#core/catalog/type-declarations.ts';
import type { Tool } from '#core/catalog/tool.ts';

const toolWith = (inputSchema: Tool['inputSchema'], more: Partial<Tool> = {}): Tool => ({
  name: 'a/b',
  server: 'a',
  domain: 'd',
  category: 'c',
  inputSchema,
  ...more,
});
const declared = (inputSchema: Tool['inputSchema'], more: Partial<Tool> = {}) =>
  declareTool(toolWith(inputSchema, more), 'a__b');
const typeOf = (schema: unknown) =>
  declared({ type: 'object' }, { outputSchema: { type: 'object', properties: { x: schema } } });

describe('a tool is declared', () => {
  test('with its description, its arguments and its result', () => {
    const inputSchema = {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Where.' },
        days: { type: 'integer', minimum: 1, default: 3 },
        'x-unit': { enum: ['c', "f'"] },
      },
      required: ['city'],
    };
    const outputSchema = { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] };
    expect(declared(inputSchema, { description: 'The weather.\n Soon.', outputSchema })).toBe(
      "/** The weather. Soon. */ a__b(args: { /** Where. */ city: string; /** (default 3, minimum 1) */ days?: number; 'x-unit'?: 'c' | 'f\\'' }): { degrees: number }",
    );
  });

  test('with arguments that may be left out if none is required, and none if it takes none', () => {
    expect(declared({ type: 'object', properties: { q: { type: 'string' } } })).toBe(
      'a__b(args?: { q?: string }): unknown',
    );
    expect(declared({ type: 'object', properties: {} })).toBe('a__b(): unknown');
    expect(declared({ type: 'object' })).toBe('a__b(args?: { [name: string]: unknown }): unknown');
  });

  test.each([
    [{ type: 'array', items: { type: 'string' } }, 'string[]'],
    [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, '(string | null)[]'],
    [{ type: ['number', 'null'] }, 'number | null'],
    [{ const: 3 }, '3'],
    [{ type: 'object', additionalProperties: { type: 'boolean' } }, '{ [name: string]: boolean }'],
    [{ oneOf: [{ type: 'string' }, {}] }, 'unknown'],
    [{ allOf: [{ type: 'string' }] }, 'string'],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, '[string, number]'],
    [true, 'unknown'],
    ['no schema', 'unknown'],
  ])('%j as %s', (schema, type) => {
    expect(typeOf(schema)).toBe(`a__b(args?: { [name: string]: unknown }): { x?: ${type} }`);
  });

  test('with what it refers to, and no deeper than a few levels where it refers to itself', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
    const text = declared({ $ref: '#/$defs/node', $defs: { node } });
    expect(text).toContain('{ next?: { next?: ');
    expect(text).toContain('unknown');
    expect(text.length).toBeLessThan(200);
    expect(declared({ type: 'object', properties: { x: { $ref: 'https://example.com/s' } } })).toContain('x?: unknown');
  });

  test('in a moment, although each of its parts has all parts again', () => {
    const parts = Array.from({ length: 40 }, (_, at) => [`part${at}`, { $ref: '#' }]);
    const begun = performance.now();
    expect(declared({ type: 'object', properties: Object.fromEntries(parts) })).toContain('a__b(args?: { ');
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  test('so that no text of its server can end a comment or a literal', () => {
    const text = declared(
      { type: 'object', properties: { 'a*/ b': { enum: ["'*/"] } } },
      { description: '*/ evil() /*' },
    );
    expect(text).toBe("/** * / evil() /* */ a__b(args?: { 'a*/ b'?: '\\'*/' }): unknown");
  });

  test('by its kind alone if its type is very long', () => {
    const properties = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`field${at}`, { type: 'string' }]));
    expect(declared({ type: 'object', properties })).toBe('a__b(args?: { [name: string]: unknown }): unknown');
  });
});

test('identifiers have no hyphens and stay different', () => {
  expect([...makeIdentifiersOfTools(['a-b/c', 'a/b', 'a/b-c', 'a/b_c'])]).toEqual([
    ['a-b/c', 'a_b__c'],
    ['a/b', 'a__b'],
    ['a/b-c', 'a__b_c'],
    ['a/b_c', 'a__b_c_2'],
  ]);
});
