import { expect, test } from 'vitest';
import type { InfrastructureFault } from '#core/models/faults.ts';
import { refusalsAndPauseAfterRequest, refusalsUntilPause, type RefusalsInARow } from '#core/models/breaker.ts';

const by = 'the writer';
const refused = (status: number): InfrastructureFault => ({
  where: 'model',
  name: 'writer',
  code: 'http-status',
  detail: `HTTP status ${status}`,
  status,
});

function countAll(faults: readonly (InfrastructureFault | null)[]) {
  let refusals: RefusalsInARow = {};
  const pauses = faults.map((fault) => {
    const counted = refusalsAndPauseAfterRequest(refusals, { by, fault });
    ({ refusals } = counted);
    return counted.pause;
  });
  return { refusals, pauses };
}

test.each([400, 403, 404, 422])(
  "a run pauses with the endpoint's words after so many refusals in a row with status %i",
  (status) => {
    const { pauses } = countAll(Array.from({ length: refusalsUntilPause }, () => refused(status)));
    expect(pauses.slice(0, -1)).toEqual(Array.from({ length: refusalsUntilPause - 1 }, () => null));
    expect(pauses.at(-1)).toContain(`the writer refused 5 requests in a row: HTTP status ${status}`);
  },
);

test.each([401, 402])('a run pauses at the first refusal of its key or account with status %i', (status) => {
  expect(countAll([refused(status)]).pauses).toEqual([
    `the model of the writer refused the key or the account: HTTP status ${status}. Correct its setting, then resume`,
  ]);
});

test('an account without credit pauses a run, also where the endpoint says it within an answer', () => {
  const spent: InfrastructureFault = { where: 'model', name: 'writer', code: 'out-of-credit', detail: 'no credit' };
  expect(countAll([spent]).pauses.at(-1)).toContain('no credit');
});

test('an answer between refusals starts the count again', () => {
  const four = Array.from({ length: refusalsUntilPause - 1 }, () => refused(400));
  expect(countAll([...four, null, ...four]).pauses.every((pause) => pause === null)).toBe(true);
});

test('faults that may pass, and faults of servers, count neither way', () => {
  const passing: InfrastructureFault[] = [
    refused(429),
    refused(503),
    { where: 'model', name: 'writer', code: 'timeout', detail: 'no answer in time' },
    { ...refused(401), where: 'server', name: 'files' },
  ];
  const four = Array.from({ length: refusalsUntilPause - 1 }, () => refused(400));
  const { refusals, pauses } = countAll([...four, ...passing, ...passing]);
  expect(pauses.every((pause) => pause === null)).toBe(true);
  expect(refusals).toEqual({ [by]: refusalsUntilPause - 1 });
});

test('each role counts for itself', () => {
  let refusals: RefusalsInARow = {};
  for (const role of ['the writer', 'the critic', 'the agent'])
    for (let n = 1; n < refusalsUntilPause; n += 1) {
      const counted = refusalsAndPauseAfterRequest(refusals, { by: role, fault: refused(403) });
      expect(counted.pause).toBeNull();
      ({ refusals } = counted);
    }
  expect(Object.keys(refusals)).toHaveLength(3);
});
