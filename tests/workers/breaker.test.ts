import { expect, test } from 'vitest';
import { evaluate, evaluationOf, followEvaluation, frozen, withRules } from '../support/evaluation.ts';
import { unitsCommitted } from '../support/exploration-state.ts';
import { explore, follow, prepare, recordOf } from '../support/exploration.ts';

const revoked = { kind: 'status', status: 401 } as const;

test('an exploration whose key was revoked pauses at the first refusal, leaves its units undone, and finishes all of them after it was resumed', async () => {
  const ground = await prepare({ rules: [{ form: 'scenario', times: 1, behaviour: revoked }] });
  const { key } = ground.workspace;
  const run = await explore(ground, { rounds: 1, batch: 6 });
  const { events } = await follow(key, run, { enough: ({ event }) => event.type === 'run.paused' });
  expect(events.at(-1)?.event).toMatchObject({
    type: 'run.paused',
    reason: expect.stringContaining('the writer refused the key or the account: HTTP status 401'),
  });
  const paused = await recordOf(ground, run);
  expect(paused).toMatchObject({ status: 'paused', rounds: 0 });
  expect(paused.reason).toContain('401');

  await ground.workspace.post(`/v1/explorations/${run}/resume`);
  await follow(key, run);
  const record = await recordOf(ground, run);
  expect(record).toMatchObject({ status: 'completed', rounds: 1 });
  expect(record.units.dropped).toBe(0);
  expect(unitsCommitted(record.units)).toBe(7);
});

test('an evaluation pauses when the model of an agent refuses, and makes the attempts that were left after it was resumed', async () => {
  const bed = await withRules(await frozen(3), { form: 'turn', times: 6, behaviour: { kind: 'status', status: 403 } });
  const run = await evaluate(bed, ['solver']);
  const events = await followEvaluation(bed, run, ({ event }) => event.type === 'run.paused');
  expect(events.at(-1)?.event).toMatchObject({
    reason: expect.stringContaining('the agent solver refused 5 requests'),
  });
  expect((await evaluationOf(bed, run)).status).toBe('paused');
  await bed.workspace.post(`/v1/evaluations/${run}/resume`);
  await followEvaluation(bed, run);
  const { status, progress } = await evaluationOf(bed, run);
  expect(status).toBe('completed');
  expect(progress).toMatchObject({ attempts: 6 });
});
