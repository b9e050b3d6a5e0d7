import { createRoute } from '@hono/zod-openapi';
import type { Endpoint } from '../../context.ts';
import { openProblems, unwrap } from '../../problem.ts';
import { leaderboardNamed } from './find.ts';
import { entryParams, signed } from './form.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/leaderboards/{id}/entries/{entry}/record',
  tags: ['leaderboards'],
  summary: "Read an entry's signed record",
  description:
    'Needs no key. The signature (Ed25519) is over the canonical JSON (RFC 8785) of `record`; the public key is the one of `/v1/signing-key`. The record names the seals of the traces that the scores were computed from, and the last hash of the log before it.',
  security: [],
  request: { params: entryParams },
  responses: {
    200: { description: 'The record', content: { 'application/json': { schema: signed } } },
    ...openProblems('not-found', 'entry-gone'),
  },
});

export const getRecord: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id, entry } = c.req.valid('param');
    return c.json(unwrap(await (await leaderboardNamed(c, id)).getRecord(entry)), 200);
  });
