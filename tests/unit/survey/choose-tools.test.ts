import { expect, test } from 'vitest';
import type { Tool } from '#core/catalog/tool.ts';
import { chooseSurveyedTools, maxSurveyedTools, onlyReads } from '#core/units/survey/choose-tools.ts';

const makeTool = (name: string, rest: Partial<Tool> = {}): Tool => ({
  name: `shop/${name}`,
  server: 'shop',
  domain: 'testing',
  category: 'other',
  inputSchema: { type: 'object' },
  ...rest,
});

test.each([
  ['a hint that it only reads', makeTool('x', { annotations: { readOnlyHint: true } }), true],
  ['both hints', makeTool('x', { annotations: { readOnlyHint: true, destructiveHint: true } }), false],
  [
    'a hint that it destroys',
    makeTool('list_x', { description: 'Lists x', annotations: { destructiveHint: true } }),
    false,
  ],
  [
    'a hint that it writes',
    makeTool('list_x', { description: 'Lists x', annotations: { readOnlyHint: false } }),
    false,
  ],
  ['only a title', makeTool('list_x', { description: 'Lists all x', annotations: { title: 'X' } }), true],
  [
    'a reading name and description',
    makeTool('listOrders', { description: 'Returns all orders created so far.' }),
    true,
  ],
  ['no description', makeTool('list_orders'), false],
  ['a description of another kind', makeTool('list_orders', { description: 'Orders of a shop' }), false],
  ['a name that changes', makeTool('get_and_clear', { description: 'Returns the queue' }), false],
  ['a description that also changes', makeTool('get_token', { description: 'Gets a token and stores it' }), false],
  ['a description that orders a change', makeTool('get_lock', { description: 'Gets the state and locks it' }), false],
  ['a noun that could be a verb', makeTool('get_start_times', { description: 'Returns the start of all runs' }), true],
  ['a name that does not say', makeTool('orders', { description: 'Lists the orders' }), false],
])('a tool with %s is judged by what it says', (_what, tool, expected) => {
  expect(onlyReads(tool)).toBe(expected);
});

test('a survey calls only tools that accept no arguments', () => {
  const annotations = { readOnlyHint: true };
  const named = { type: 'object', properties: { id: { type: 'string' } } };
  const tools = [
    makeTool('a', { annotations, inputSchema: { ...named, required: ['id'] } }),
    makeTool('b', { annotations, inputSchema: named }),
    makeTool('c', { annotations, inputSchema: { ...named, anyOf: [{ required: ['id'] }, { required: ['name'] }] } }),
    makeTool('d', { annotations, inputSchema: { ...named, minProperties: 1 } }),
    makeTool('e', { annotations: { destructiveHint: true } }),
  ];
  expect(chooseSurveyedTools(tools).map(({ name }) => name)).toEqual(['shop/b']);
});

test('a survey calls a bounded number of tools', () => {
  const tools = Array.from({ length: 50 }, (_, i) => makeTool(`t${i}`, { annotations: { readOnlyHint: true } }));
  expect(chooseSurveyedTools(tools)).toEqual(tools.slice(0, maxSurveyedTools));
});
