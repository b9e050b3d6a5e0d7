import { describe, expect, test } from 'vitest';
import { makeCatalog } from '#core/catalog/catalog.ts';
import type { AllowedEffect, ToolEffect } from '#core/catalog/effect.ts';
import { selectTools, toolSelection, type ToolSelection } from '#core/catalog/selection.ts';
import type { Tool } from '#core/catalog/tool.ts';

const tool = (name: string, effect: ToolEffect, properties: Record<string, unknown> = {}): Tool => ({
  name,
  server: name.split('/')[0] ?? '',
  domain: 'd',
  category: 'other',
  inputSchema: { type: 'object', properties },
  effect,
});
const tools = [
  tool('a/get', 'reads'),
  tool('a/put', 'writes'),
  tool('a/drop', 'destroys', { dry_run: { type: 'boolean' } }),
  tool('b/what', 'unknown'),
];
const limits = (a: AllowedEffect, b: AllowedEffect) =>
  new Map([
    ['a', a],
    ['b', b],
  ]);
const everything = limits('destroys', 'destroys');
const select = (selection: Partial<ToolSelection>, allows: Parameters<typeof selectTools>[2] = everything) =>
  selectTools(tools, toolSelection.parse(selection), allows);
const namesOf = (selected: ReturnType<typeof select>): string[] => selected.tools.map(({ name }) => name);

describe('a catalog', () => {
  test('takes all tools that their servers allow', () => {
    expect(namesOf(select({}))).toEqual(['a/get', 'a/put', 'a/drop', 'b/what']);
    const limited = select({}, limits('writes', 'reads'));
    expect(namesOf(limited)).toEqual(['a/get', 'a/put']);
    expect(limited.aboveLimit).toBe(2);
  });

  test('takes what only reads of a server that says nothing', () => {
    expect(namesOf(select({}, new Map()))).toEqual(['a/get']);
  });

  test('takes no more than the lower of both limits', () => {
    expect(namesOf(select({ upTo: 'writes' }))).toEqual(['a/get', 'a/put', 'b/what']);
    expect(namesOf(select({ upTo: 'destroys' }, limits('reads', 'reads')))).toEqual(['a/get']);
  });

  test('takes the named tools alone, and none that is excluded', () => {
    expect(namesOf(select({ include: ['a/get', 'a/put'], exclude: ['a/put'] }))).toEqual(['a/get']);
    expect(namesOf(select({ include: ['a/drop'] }, new Map()))).toEqual([]);
  });

  test('names the tools that no server has', () => {
    expect(select({ include: ['a/get', 'a/none'], exclude: ['c/none'] }).unknown).toEqual(['a/none', 'c/none']);
  });

  test('has tools with a parameter for dry runs called with it', () => {
    const selected = select({ dryRun: true, upTo: 'reads' });
    expect(namesOf(selected)).toEqual(['a/get', 'a/drop']);
    expect(selected.tools[1]).toMatchObject({ effect: 'reads', forced: { dry_run: true } });
  });

  test('has another id if an effect is another one', async () => {
    const [first, second] = [await makeCatalog(tools), await makeCatalog(tools.with(3, tool('b/what', 'reads')))];
    expect(first.id).not.toBe(second.id);
  });
});

test.each([{ type: 'string' }, {}, true])('a parameter %j is none for dry runs', (schema) => {
  const strange = tool('a/drop', 'destroys', { dryRun: schema });
  expect(selectTools([strange], toolSelection.parse({ dryRun: true }), everything).tools).toEqual([strange]);
});
