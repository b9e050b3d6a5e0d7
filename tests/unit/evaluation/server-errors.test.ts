import { expect, test } from 'vitest';
import { classifyErrorMarking } from '#core/catalog/call-counts.ts';
import { sumToolErrorsByServer } from '#core/evaluation/server-errors.ts';

const calls = (tool: string, failed: number, spoilt: number, reported: number) => ({
  tool,
  calls: 10,
  failed,
  spoilt,
  reported,
});

test("the errors of a server's tools are summed, without calls that the environment spoilt", () => {
  expect(
    sumToolErrorsByServer([
      calls('trees/oak', 3, 1, 0),
      calls('fruit/apple', 4, 1, 2),
      calls('fruit/pear', 2, 0, 2),
      calls('trees/elm', 1, 0, 0),
    ]),
  ).toEqual([
    { server: 'fruit', marked: 1, reported: 4 },
    { server: 'trees', marked: 3, reported: 0 },
  ]);
});

test('a server without errors of its own is left out', () => {
  expect(sumToolErrorsByServer([calls('fruit/apple', 0, 0, 0), calls('trees/oak', 2, 2, 0)])).toEqual([]);
  expect(sumToolErrorsByServer([])).toEqual([]);
});

test('a server marks its errors always, sometimes or never, or nobody knows', () => {
  expect(classifyErrorMarking({ marked: 1, reported: 0 })).toBe('always');
  expect(classifyErrorMarking({ marked: 1, reported: 1 })).toBe('sometimes');
  expect(classifyErrorMarking({ marked: 0, reported: 1 })).toBe('never');
  expect(classifyErrorMarking({ marked: 0, reported: 0 })).toBeNull();
});
