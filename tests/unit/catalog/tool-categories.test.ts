import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deriveCategory } from '#core/catalog/category.ts';
import { toolNameWithoutServer } from '#core/catalog/tool.ts';
import {
  categoryDefinitions,
  countToolsByCategory,
  toolCategories,
  toolCategory,
} from '#core/catalog/tool-categories.ts';
import { nominalKappa } from '#core/statistics/kappa.ts';

const labelled = z.object({
  name: z.string(),
  category: toolCategory,
  description: z.string(),
  annotations: z.record(z.string(), z.unknown()).optional(),
});

/** The tools of the bundled servers, with the category that a person gave each. */
const tools = readFileSync('tests/fixtures/tool-categories.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => labelled.parse(JSON.parse(line)));

describe('the categories of tools', () => {
  it('are a closed list with definitions', () => {
    expect(toolCategories).toHaveLength(17);
    expect(toolCategories.at(-1)).toBe('other');
    expect(new Set(Object.values(categoryDefinitions)).size).toBe(17);
    expect(toolCategory.safeParse('luhn').success).toBe(false);
  });

  it('are counted in the order of the list, those of earlier releases last', () => {
    const counts = countToolsByCategory(['other', 'weather', 'read', 'other'].map((category) => ({ category })));
    expect(Object.entries(counts)).toEqual([
      ['read', 1],
      ['other', 2],
      ['weather', 1],
    ]);
  });
});

describe('the rules for categories', () => {
  const derive = (name: string, description = '', annotations?: Record<string, unknown>) =>
    deriveCategory({ name, description, annotations });

  it.each([
    ['getCurrentTime', '', 'status'],
    ['get_all_users', '', 'list'],
    ['add', 'Adds two numbers', 'create'],
    ['luhn', 'Validate check digits', 'check'],
    ['ticker', 'Returns the price of a share', 'read'],
    ['read_graph', 'Read the entire graph', 'read'],
    ['draw_chart', '', 'chart'],
    ['create_chart', '', 'chart'],
    ['create_diagram', '', 'create'],
    ['semver', 'Versions: compare two of them', 'check'],
    ['maps', 'This tool lists the places nearby', 'list'],
    ['translate', 'A tool for translating texts', 'convert'],
    ['constructor', '', 'other'],
    ['__proto__', '', 'other'],
    ['frobnicate', 'Frobs the nicates', 'other'],
    ['天气', '查询某地的天气', 'search'],
  ])('%s (%s): %s', (name, description, category) => {
    expect(derive(name, description)).toBe(category);
  });

  it('take an annotation of destruction for a removal only where a word says so', () => {
    const hints = { destructiveHint: true };
    expect(derive('execute_sql', 'Runs a statement', hints)).toBe('execute');
    expect(derive('task_park', 'Parks a task', hints)).toBe('other');
    expect(derive('sweep', 'Wipes the whole index', hints)).toBe('delete');
    expect(derive('repairChartConfig', 'Repairs the config of a chart', hints)).toBe('update');
  });

  it('agree with a person on the tools of 16 servers', () => {
    const pairs = tools.map(({ name, category, ...more }): [string, string] => [
      category,
      deriveCategory({ ...more, name: toolNameWithoutServer(name) }),
    ]);
    const agreeing = pairs.filter(([person, rule]) => person === rule).length;
    expect(tools).toHaveLength(147);
    expect({ agreeing, kappa: nominalKappa(pairs)?.toFixed(2) }).toEqual({ agreeing: 122, kappa: '0.81' });
    expect(pairs.filter(([, rule]) => rule === 'other').length).toBeLessThanOrEqual(12);
  });
});
