import { describe, expect, test } from 'vitest';
import type { Tool } from '#core/catalog/tool.ts';
import { figuresByServer, isReadOrCreateTool, type MeasuredUnit } from '../../../bench/servers/figures.ts';
import type { MeasuredCall } from '../../../bench/servers/calls.ts';
import { serverTableLines } from '../../../bench/servers/text.ts';

const tool = (name: string, category: string, annotations: Record<string, unknown> = {}): Tool => ({
  name,
  server: name.slice(0, 1),
  domain: 'test',
  category,
  inputSchema: { type: 'object' },
  annotations,
});

const call = (tool: string, more: Partial<MeasuredCall> = {}): MeasuredCall => ({
  server: tool.slice(0, 1),
  tool,
  by: 'exploration',
  outcome: 'success',
  reported: null,
  failure: null,
  decidedBy: null,
  arguments: {},
  text: 'done',
  ...more,
});

const unit = (chain: string[], completed: boolean): MeasuredUnit => ({ chain, accepted: true, completed });

const tools = [tool('a/get', 'read'), tool('a/make', 'create'), tool('a/wipe', 'delete'), tool('b/odd', 'other')];

test('each server has the figures of its own tools, calls and units, and a unit of two servers counts once in all', () => {
  const failure = { outcome: 'failure', failure: 'undecided' } as const;
  const calls = [
    call('a/get'),
    call('a/get', failure),
    call('a/make', { outcome: 'failure', failure: 'syntactic-malformation', reported: 'error-prefix' }),
    call('b/odd', failure),
    call('b/odd', { outcome: 'fault' }),
    call('a/none', failure),
  ];
  const { servers, all } = figuresByServer({
    tools,
    units: [unit(['a/get', 'b/odd'], true), unit(['a/get', 'a/make'], false)],
    calls,
  });
  expect(servers).toMatchObject([
    { server: 'a', calls: 4, successes: 1, failures: 3, reported: 1, faults: 0, accepted: 2, completed: 1 },
    { server: 'b', calls: 2, successes: 0, failures: 1, faults: 1, accepted: 1, completed: 1 },
  ]);
  expect(servers).toMatchObject([
    { tools: 3, called: 2, succeeded: 1, gentle: 2, gentleSucceeded: 1, other: 0 },
    { tools: 1, called: 1, succeeded: 0, gentle: 0, gentleSucceeded: 0, other: 1 },
  ]);
  expect(all).toMatchObject({ server: 'all', calls: 6, accepted: 2, completed: 1, tools: 4 });
  expect(all.classes).toEqual({ undecided: 3, 'syntactic-malformation': 1 });
});

describe('a tool only reads or creates', () => {
  test('by its category', () => expect(tools.map(isReadOrCreateTool)).toEqual([true, true, false, false]));

  test('by the word of its server', () =>
    expect(isReadOrCreateTool(tool('b/odd', 'other', { readOnlyHint: true }))).toBe(true));
});

test('the table has a line for each server, one for all, and the failures by class', () => {
  const { servers, all } = figuresByServer({
    tools,
    units: [],
    calls: [call('a/get', { outcome: 'failure', failure: 'undecided' })],
  });
  const lines = serverTableLines(servers, all);
  expect(lines.slice(1, 4).map((line) => line.split(' ')[0])).toEqual(['a', 'b', 'all']);
  expect(lines.at(-1)).toBe('undecided: 1');
});
