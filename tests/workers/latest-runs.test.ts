import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { expectStatus, newWorkspace, problemOf } from '../support/workspace.ts';

const page = z.object({ items: z.array(z.object({ id: z.string() })), nextCursor: z.string().nullable() });

test('runs are listed with the oldest or the latest first, page by page', async () => {
  const workspace = await newWorkspace();
  for (const id of ['exp_1', 'exp_2', 'exp_3'])
    await env.WORKSPACE.getByName(workspace.id).addResource('exploration', {
      id,
      object: id,
      json: JSON.stringify({ createdAt: '2026-01-01T00:00:00.000Z' }),
    });
  const read = async (query: string) => {
    const { items, nextCursor } = page.parse(expectStatus(await workspace.get(`/v1/explorations${query}`), 200));
    return [items.map(({ id }) => id), nextCursor];
  };
  expect(await read('')).toEqual([['exp_1', 'exp_2', 'exp_3'], null]);
  expect(await read('?order=latest&limit=2')).toEqual([['exp_3', 'exp_2'], 'exp_2']);
  expect(await read('?order=latest&limit=2&cursor=exp_2')).toEqual([['exp_1'], null]);
  expect(problemOf(await workspace.get('/v1/explorations?order=best'))).toEqual([400, 'invalid-request']);
});
