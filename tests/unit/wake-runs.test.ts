import { expect, test } from 'vitest';
import { wakeSilentRuns } from '#api/wake-runs.ts';
import { directoryKnowing, fakeServices } from '../support/fake-services.ts';

test('the schedule wakes all open runs, five hundred at a time, even if some cannot be woken', async () => {
  const ids = Array.from({ length: 1_201 }, (_, n) => `exp_${String(n).padStart(5, '0')}`);
  const pages: number[] = [];
  const woken: string[] = [];
  const directory = {
    ...(await directoryKnowing('key')),
    listRunsNeedingDriver: async (after: string, limit: number) => {
      const page = ids.filter((id) => id > after).slice(0, limit);
      pages.push(page.length);
      return page.map((id) => ({ id, kind: 'submission' as const }));
    },
  };
  const submission = (id: string) => {
    woken.push(id);
    throw new Error('it cannot be reached');
  };
  await wakeSilentRuns(fakeServices({ directory, submission }));
  expect(woken).toEqual(ids);
  expect(pages).toEqual([500, 500, 201, 0]);
});
