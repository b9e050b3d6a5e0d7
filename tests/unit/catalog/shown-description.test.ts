import { describe, expect, test } from 'vitest';
import {
  cutDescription,
  listToolsWithLongDescriptions,
  shownDescriptionChars,
} from '#core/catalog/shown-description.ts';
import type { Tool } from '#core/catalog/tool.ts';

const tool = (name: string, description?: string): Tool => ({
  name: `files/${name}`,
  server: 'files',
  domain: 'd',
  category: 'other',
  inputSchema: {},
  ...(description === undefined ? {} : { description }),
});

describe('a description', () => {
  test('of the longest length is shown whole', () => {
    const text = 'x'.repeat(shownDescriptionChars);
    expect(cutDescription(text)).toBe(text);
    expect(listToolsWithLongDescriptions([tool('a', text), tool('b')])).toEqual([]);
  });

  test('that is longer is cut, says so, and its tool is named', () => {
    const text = 'x'.repeat(111_000);
    expect(cutDescription(text)).toHaveLength(shownDescriptionChars);
    expect(cutDescription(text)).toMatch(/x \[cut\]$/);
    expect(listToolsWithLongDescriptions([tool('a'), tool('b', text)])).toEqual([{ tool: 'b', chars: 111_000 }]);
  });

  test('is never cut inside a character', () => {
    expect(cutDescription('🦀'.repeat(10), 11).isWellFormed()).toBe(true);
    expect(cutDescription('🦀'.repeat(10), 12).isWellFormed()).toBe(true);
  });
});
