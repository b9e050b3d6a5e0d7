import { expect, test } from 'vitest';
import { computeRecallsAfterSearches, toolsOfSearch } from '../../../bench/published/search-recall.ts';

/** Returns a vector along one of eight axes. */
const axis = (at: number): number[] => Array.from({ length: 8 }, (_, place) => (place === at ? 1 : 0));
const toolAt = (name: string, at: number) => ({ name, server: axis(at), tool: axis(at) });
const searchAt = (at: number) => ({ server: axis(at), tool: axis(at) });

test('what later searches find counts beside what earlier ones found, and a task that searches less keeps what it has', () => {
  const tools = [
    ...Array.from({ length: toolsOfSearch - 1 }, (_, at) => toolAt(`near${at}`, 0)),
    toolAt('a', 0),
    toolAt('b', 1),
    toolAt('late', 0),
  ];
  const recalls = computeRecallsAfterSearches(tools, [
    { wanted: new Set(['a', 'b']), queries: [searchAt(0), searchAt(1)] },
    { wanted: new Set(['late']), queries: [searchAt(0)] },
    { wanted: new Set(['a']), queries: [] },
    { wanted: new Set(), queries: [searchAt(0)] },
  ]);
  // "late" is the sixth of six that fit alike.
  expect(recalls.map(({ searches, mean, n }) => [searches, mean, n])).toEqual([
    [1, 0.25, 2],
    [2, 0.5, 2],
    [3, 0.5, 2],
  ]);
  for (const { low, high } of recalls) expect(low ?? 1).toBeLessThan(high ?? 0);
});
