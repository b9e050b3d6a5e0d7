import { describe, expect, test } from 'vitest';
import { parseParamHeadersOfSchema, makeParamHeadersOfCall } from '#core/catalog/param-headers.ts';

const region = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };

describe('the headers of a call', () => {
  test.each([
    [{ region: 'eu-west' }, { 'mcp-param-Region': 'eu-west' }],
    [{ region: 'Süd' }, { 'mcp-param-Region': '=?base64?U8O8ZA==?=' }],
    [{ region: ' eu' }, { 'mcp-param-Region': '=?base64?IGV1?=' }],
    [{ region: '' }, { 'mcp-param-Region': '=?base64??=' }],
    [{ region: '=?base64?eA==?=' }, { 'mcp-param-Region': '=?base64?PT9iYXNlNjQ/ZUE9PT89?=' }],
    [{ region: 7 }, { 'mcp-param-Region': '7' }],
    [{ region: null }, {}],
    [{ region: ['eu'] }, {}],
    [{}, {}],
  ])('for %j are %j', (args, headers) => {
    expect(makeParamHeadersOfCall(region, args)).toEqual(headers);
  });

  test('find arguments inside others', () => {
    const schema = { type: 'object', properties: { where: { ...region, 'x-mcp-header': undefined } } };
    expect(makeParamHeadersOfCall(schema, { where: { region: 'eu' } })).toEqual({ 'mcp-param-Region': 'eu' });
  });
});

describe('a tool whose schema declares headers', () => {
  const declare = (name: unknown, more: object = { type: 'string' }) => ({
    type: 'object',
    properties: { a: { ...more, 'x-mcp-header': name } },
  });

  test.each([
    [declare('')],
    [declare('two words')],
    [declare(7)],
    [declare('A', { type: 'object' })],
    [declare('A', {})],
    [{ type: 'object', 'x-mcp-header': 'A' }],
    [{ type: 'object', properties: { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } } }],
    [{ type: 'object', properties: { a: { anyOf: [{ type: 'string', 'x-mcp-header': 'A' }] } } }],
    [
      {
        type: 'object',
        properties: { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } },
      },
    ],
  ])('wrongly is not to be called: %j', (schema) => {
    expect(parseParamHeadersOfSchema(schema)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('x-mcp-header'),
    });
  });

  test('may have a parameter of that name, and values that look like it', () => {
    const schema = {
      type: 'object',
      properties: { 'x-mcp-header': { type: 'string', default: { 'x-mcp-header': 1 } } },
    };
    expect(parseParamHeadersOfSchema(schema)).toEqual({ ok: true, value: [] });
  });
});
