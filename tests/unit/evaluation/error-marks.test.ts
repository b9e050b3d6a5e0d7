import { expect, it } from 'vitest';
import { classifyErrorMarkingOfCalls } from '#core/catalog/call-counts.ts';

it.each([
  [{ calls: 9, failed: 3, spoilt: 0, reported: 0 }, 'always'],
  [{ calls: 9, failed: 3, spoilt: 0, reported: 3 }, 'never'],
  [{ calls: 9, failed: 4, spoilt: 1, reported: 3 }, 'never'],
  [{ calls: 9, failed: 4, spoilt: 1, reported: 1 }, 'sometimes'],
  [{ calls: 9, failed: 2, spoilt: 2, reported: 0 }, null],
  [{ calls: 9, failed: 0, spoilt: 0, reported: 0 }, null],
] as const)('a server with %j marks its errors: %s', (counts, marks) => {
  expect(classifyErrorMarkingOfCalls(counts)).toBe(marks);
});
