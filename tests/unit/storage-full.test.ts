import { expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import { fakeServices } from '../support/fake-services.ts';

test('a request that cannot be kept for want of room says so, and what to do', async () => {
  const app = createApp(fakeServices());
  app.get('/v1/full', () => {
    throw new Error('database or disk is full: SQLITE_FULL');
  });
  const answer = await app.request('/v1/full');
  expect(answer.status).toBe(507);
  expect(await answer.json()).toMatchObject({
    code: 'storage-full',
    retryable: true,
    detail: expect.stringContaining('nothing of this request was kept'),
  });
});
