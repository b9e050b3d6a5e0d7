import { expect, test } from 'vitest';
import type { Tool } from '#core/catalog/tool.ts';
import { measureHintQuality, hintQualityLines } from '../../../bench/studies/ablation/hint-quality.ts';

const tool = (name: string, domain: string, takes: readonly string[], description = ''): Tool => ({
  name,
  server: name.slice(0, name.indexOf('/')),
  domain,
  category: 'other',
  description,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(takes.map((each) => [each, { type: 'string' }])),
    required: [...takes],
  },
});

const tools = [
  tool('a/list_parcels', 'post', [], 'Returns parcel ids.'),
  tool('a/track_parcel', 'post', ['parcel_id']),
  tool('b/wake', 'post', []),
  tool('c/sing', 'music', []),
];
const passed = { from: 'a/list_parcels', to: 'a/track_parcel', executed: 2, valuePassed: 1 };

test('the area under the curve is 1 if the hint scores the executed pairs highest, also by relation', () => {
  const [executed, valuePassed] = measureHintQuality(tools, [
    passed,
    { from: 'c/sing', to: 'b/wake', executed: 1, valuePassed: 0 },
    { from: 'a/track_parcel', to: 'b/wake', executed: 0, valuePassed: 0 },
  ]);
  expect(valuePassed?.relations.map(({ relation, pairs, trues }) => [relation, pairs, trues])).toEqual([
    ['any', 12, 1],
    ['server', 2, 1],
    ['domain', 4, 0],
    ['cross', 6, 0],
  ]);
  expect(valuePassed?.relations.map(({ auc }) => auc)).toEqual([1, 1, null, null]);
  // Two of the 10 others score, since each feeds `track_parcel` a little; `b/wake` ties with the other 8.
  expect(executed?.relations[0]).toMatchObject({ trues: 2, auc: (10 + (1 / 2) * 8) / 20 });
  expect(valuePassed?.levels[0]).toMatchObject({ flagged: 1, precision: 1, recall: 1, lift: 12 });
  expect(valuePassed?.levels.at(-1)).toMatchObject({ flagged: 12, precision: 1 / 12, recall: 1, lift: 1 });
});

test('a run without true transitions is not an error', () => {
  const [, valuePassed] = measureHintQuality(tools, []);
  expect(valuePassed?.relations[0]).toEqual({ relation: 'any', pairs: 12, trues: 0, auc: null });
  expect(valuePassed?.levels.every(({ recall, lift }) => recall === null && lift === null)).toBe(true);
  expect(measureHintQuality([], []).map(({ levels }) => levels)).toEqual([[], []]);
});

test('the table has a line for each relation and level', () => {
  const qualities = measureHintQuality(tools, [passed]);
  const lines = hintQualityLines(qualities);
  expect(lines).toHaveLength(qualities.reduce((sum, { levels }) => sum + 3 + 4 + levels.length, 0));
  expect(lines[2]).toMatch(/any +12 +1 +1\.00$/);
});
