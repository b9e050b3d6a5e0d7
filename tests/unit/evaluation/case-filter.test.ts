import { describe, expect, test } from 'vitest';
import {
  caseFilter,
  countCasesToLookAt,
  isWantedCase,
  makePageOfWantedCases,
  refuseWrongCaseFilter,
  type CaseFilter,
  type FilteredEvaluation,
} from '#core/evaluation/case-filter.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import { makeScore } from '#core/scoring/score.ts';
import { begun, finished } from './cases.ts';

const passed = finished({ unit: 'u_1', agent: 'a' }, { tools: ['fruit/apple', 'fruit/pear'] });
const failed = finished(
  { unit: 'u_1', agent: 'b' },
  { tools: ['fruit/apple'], grades: { success: makeScore(0, {}) } },
  { tools: ['fruit/pear'] },
);
const broken = finished({ unit: 'u_2', agent: 'b' }, { tools: null });
const underWay = begun({ id: 'u_2.a.01', unit: 'u_2', agent: 'a' });
const all = { passed, failed, broken, underWay };

const failing = (tool: string, failure: 'undefined-parameter-key' | 'syntactic-malformation'): EvaluationCase => {
  const [attempt] = Object.values(passed.attempts);
  if (attempt === undefined) throw new Error('no attempt');
  const calls = [
    { tool, outcome: 'failure' as const, failure, cause: undefined },
    { tool: 'fruit/pear', outcome: 'success' as const, failure: null, cause: undefined },
  ];
  return { ...passed, attempts: { ...passed.attempts, source: { ...attempt, calls } } };
};

describe('a filter of cases', () => {
  test.each<[CaseFilter, string[]]>([
    [{}, ['passed', 'failed', 'broken', 'underWay']],
    [{ agent: 'b' }, ['failed', 'broken']],
    [{ unit: 'u_1' }, ['passed', 'failed']],
    [{ outcome: 'failed' }, ['failed']],
    [{ outcome: 'passed' }, ['passed']],
    [{ outcome: 'not-evaluated' }, ['broken']],
    [{ outcome: 'under-way' }, ['underWay']],
    [{ tool: 'fruit/pear' }, ['passed', 'failed']],
    [{ tool: 'fruit/plum' }, []],
    [{ tool: 'fruit/pear', agent: 'a' }, ['passed']],
    [{ agent: 'a', unit: 'u_2', outcome: 'under-way' }, ['underWay']],
  ])('%j wants the cases that have all of it', (filter, wanted) => {
    const found = Object.entries(all).filter(([, each]) => isWantedCase(each, filter, 'sgvef'));
    expect(found.map(([name]) => name)).toEqual(wanted);
  });

  test('asks for a tool and a class of failure in one and the same call', () => {
    const each = failing('fruit/apple', 'syntactic-malformation');
    const isWanted = (filter: CaseFilter): boolean => isWantedCase(each, filter, 'sgvef');
    expect(isWanted({ failure: 'syntactic-malformation' })).toBe(true);
    expect(isWanted({ failure: 'syntactic-malformation', tool: 'fruit/apple' })).toBe(true);
    expect(isWanted({ failure: 'syntactic-malformation', tool: 'fruit/pear' })).toBe(false);
    expect(isWanted({ failure: 'undefined-parameter-key' })).toBe(false);
  });
});

describe('a page of wanted cases', () => {
  const cases = Array.from({ length: 12 }, (_, n) => begun({ id: `c${String(n).padStart(2, '0')}`, trial: n + 1 }));
  const isEven = ({ trial }: EvaluationCase): boolean => trial % 2 === 0;

  /** Reads the whole list as a client does; `rows` counts what each call read. */
  function readAll(lookedAt: number, limit: number, isWanted: (each: EvaluationCase) => boolean) {
    const [ids, rows]: [string[], number[]] = [[], []];
    for (let cursor: string | null = ''; cursor !== null;) {
      const after: string = cursor;
      const next = cases.filter(({ id }) => id > after).slice(0, lookedAt + 1);
      rows.push(next.length);
      const page = makePageOfWantedCases(next, { lookedAt, limit }, isWanted);
      expect(page.items.length).toBeLessThanOrEqual(limit);
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    return { ids, rows };
  }

  test.each([1, 2, 3, 5, 6, 11, 12, 13])(
    'of %i cases looked at at most leads to every wanted case once, with any limit',
    (lookedAt) => {
      for (const isWanted of [() => true, () => false, isEven])
        for (const limit of [1, 2, 5, 12, 20]) {
          const { ids, rows } = readAll(lookedAt, limit, isWanted);
          expect(ids).toEqual(cases.filter(isWanted).map(({ id }) => id));
          expect(Math.max(...rows)).toBeLessThanOrEqual(lookedAt + 1);
        }
    },
  );

  test('can be empty and have a cursor, and has none at the end', () => {
    const page = makePageOfWantedCases(cases.slice(0, 4), { lookedAt: 3, limit: 2 }, () => false);
    expect(page).toEqual({ items: [], nextCursor: 'c02' });
    expect(makePageOfWantedCases(cases.slice(0, 3), { lookedAt: 3, limit: 3 }, () => true).nextCursor).toBeNull();
    expect(makePageOfWantedCases([], { lookedAt: 3, limit: 2 }, () => true)).toEqual({ items: [], nextCursor: null });
  });

  test('looks at as many cases as it shows without a filter, and at a fixed number with one', () => {
    expect(countCasesToLookAt({}, 7)).toBe(7);
    expect(countCasesToLookAt({ agent: undefined }, 7)).toBe(7);
    expect(countCasesToLookAt({ agent: 'a' }, 7)).toBe(500);
  });
});

describe('a wrong filter', () => {
  const run: FilteredEvaluation = {
    protocol: 'sgvef',
    agents: ['a', 'b'],
    hasUnit: (id) => id === 'u_1',
    hasTool: (name) => name === 'fruit/apple',
    listToolNamesLike: () => ['fruit/apple', 'fruit/pear'],
  };
  const problemOf = (filter: CaseFilter, of: Partial<FilteredEvaluation> = {}) => {
    const answer = refuseWrongCaseFilter(filter, { ...run, ...of });
    return answer.ok ? null : [answer.problem.code, answer.problem.detail];
  };

  test('is refused with what would be right', () => {
    expect(problemOf({ agent: 'c' })).toEqual(['not-found', 'there is no agent c in it; it has a, b']);
    expect(problemOf({ unit: 'u_9' })?.[1]).toMatch(/^there is no unit u_9 in it; .* names its units$/);
    expect(problemOf({ tool: 'fruit/plum' })?.[1]).toMatch(/server\/tool, such as fruit\/apple, fruit\/pear$/);
    expect(problemOf({ outcome: 'failed' }, { protocol: 'mcp-bench' })?.[1]).toMatch(
      /^outcome: the protocol mcp-bench has no verdict, so no case passes or fails; its scores are /,
    );
    expect(caseFilter.safeParse({ failure: 'bad' }).success).toBe(false);
    expect(caseFilter.safeParse({ outcome: 'bad' }).success).toBe(false);
  });

  test('is no other one', () => {
    expect(problemOf({})).toBeNull();
    expect(problemOf({ agent: 'b', unit: 'u_1', tool: 'fruit/apple', outcome: 'failed' })).toBeNull();
    expect(problemOf({ outcome: 'not-evaluated' }, { protocol: 'mcp-bench' })).toBeNull();
  });
});
