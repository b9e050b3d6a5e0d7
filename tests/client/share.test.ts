import { expect, test } from 'vitest';
import { fakeApi, json } from './fake-api.ts';
import { runVerb } from './run-verb.ts';

const made = {
  run: 'evl_1',
  token: 'sxs_t',
  url: 'http://here/evaluations/evl_1#share=sxs_t',
  endsAt: '2026-01-08T00:00:00.000Z',
};

test('"share" asks for a link and writes its address, with when it ends beside it', async () => {
  await using api = await fakeApi(json(made, 201));
  const { lines, notes } = await runVerb(api, 'share', 'evl_1', '--days', '30');
  expect(lines).toEqual([made.url]);
  expect(notes).toBe('it ends at 2026-01-08T00:00:00.000Z, or before with: sextant unshare evl_1\n');
  expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({ run: 'evl_1', days: 30 });
  await expect(runVerb(api, 'share', 'evl_1', '--days', '91')).rejects.toThrow('--days "91"');
  expect(api.requests).toHaveLength(1);
});

test('"unshare" ends all links to a run', async () => {
  await using api = await fakeApi((_, response) => void response.writeHead(204).end());
  const { lines } = await runVerb(api, 'unshare', 'evl_1');
  expect(lines).toEqual(['no link that was made before shows evl_1']);
  expect(api.requests.map(({ line }) => line)).toEqual(['DELETE /v1/shares/evl_1']);
});
