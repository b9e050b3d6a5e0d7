import { describe, expect, test } from 'vitest';
import { importCasesToJudgeWithinLimits } from '#workflows/steps/import-cases.ts';
import { SpentRequests } from '#workflows/steps/spent-requests.ts';
import type { CaseToJudgeAgain } from '#core/evaluation/judge-again.ts';

const perPage = 8;

/** An evaluation of this many cases, another one that takes them, and instances that import within limits. */
function importing(count: number, { steps, requests = 1_000_000 }: { steps: number; requests?: number }) {
  const ids = Array.from({ length: count }, (_, at) => String(at).padStart(6, '0'));
  const makeCase = (id: string): CaseToJudgeAgain => ({
    id,
    unit: 'u',
    plan: null,
    attempts: [],
    verdicts: [],
    labels: [],
  });
  const taken = new Map<string, number>();
  const made: string[][] = [];
  /** Runs an instance from the last case that was taken. */
  const instance = async (): Promise<boolean> => {
    const names: string[] = [];
    made.push(names);
    const admission = { requestCount: 0 };
    const call =
      <T>(object: T) =>
      <R>(make: (object: T) => Promise<R>): Promise<R> => {
        admission.requestCount += 1;
        return make(object);
      };
    return importCasesToJudgeWithinLimits(
      {
        source: call({
          rejudging: {
            listCases: async (after: string) =>
              ids.slice(ids.indexOf(after) + 1, ids.indexOf(after) + 1 + perPage).map(makeCase),
          },
        }),
        run: call({
          rejudging: {
            takeCases: async (cases: readonly CaseToJudgeAgain[]) => {
              for (const { id } of cases) taken.set(id, (taken.get(id) ?? 0) + 1);
            },
          },
        }),
        spent: new SpentRequests(admission, requests),
        steps,
        runStep: (name, importPage) => {
          names.push(name);
          return importPage();
        },
      },
      [...taken.keys()].at(-1) ?? '',
    );
  };
  return { instance, taken, made };
}

/** Runs instances until one has imported everything; returns how many it took. */
async function runToEnd({ instance }: ReturnType<typeof importing>): Promise<number> {
  for (let made = 1; made <= 100; made += 1) if (await instance()) return made;
  throw new Error('the import does not end');
}

describe('an import of cases to judge again', () => {
  test('of more cases than the steps of an instance can pass on is continued by the next instance', async () => {
    const run = importing(20_000, { steps: 994 });
    expect(await runToEnd(run)).toBe(3);
    expect([...run.taken.values()].every((times) => times === 1)).toBe(true);
    expect(run.taken.size).toBe(20_000);
    expect(Math.max(...run.made.map((names) => names.length))).toBe(994);
  });

  test('hands over before the requests of an instance are used up', async () => {
    const run = importing(800, { steps: 994, requests: 50 });
    // A page takes two requests.
    expect(await runToEnd(run)).toBe(5);
    expect(run.made.every((names) => names.length <= 25)).toBe(true);
    expect(run.taken.size).toBe(800);
  });

  test('ends in its first instance if its pages fit', async () => {
    const run = importing(80, { steps: 994 });
    expect(await runToEnd(run)).toBe(1);
    // Ten pages, and the one that finds nothing.
    expect(run.made[0]).toHaveLength(11);
  });
});
