import { expect, test } from 'vitest';
import { unwritableToolLines } from '../../client/display/unwritable-lines.ts';

test('tools that the writer could not write for are named with what was missing, at most ten', () => {
  expect(unwritableToolLines({ unwritable: [] })).toEqual([]);
  const many = Array.from({ length: 12 }, (_, i) => ({
    tool: `shop/get_${i}`,
    units: 1,
    missing: 'an id\n\u001b[31m',
  }));
  const lines = unwritableToolLines({ unwritable: many });
  expect(lines).toHaveLength(12);
  expect(lines[0]).toBe('The writer could not write for 12 tools:');
  expect(lines[1]).toBe('  shop/get_0 (1 unit): an id [31m');
  expect(lines.at(-1)).toBe('  and 2 more');
});
