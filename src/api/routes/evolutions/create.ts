import { createRoute, z } from '@hono/zod-openapi';
import { evolutionConfig } from '#core/evolution/config.ts';
import { evolutionRecord } from '#core/evolution/record.ts';
import type { Endpoint } from '../../context.ts';
import { idempotencyHeader, repeatableKey } from '../../idempotency.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { findExploration } from '../explorations/find.ts';
import { runParams } from '../run-params.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/explorations/{id}/evolutions',
  tags: ['explorations'],
  summary: 'Evolve a finished exploration',
  description:
    'Drops near-duplicates among its accepted units from what a benchmark takes, and has variants of them written, audited, compared and executed. One evolution at a time. With an `Idempotency-Key` the call can be repeated.',
  middleware: [requires('run')] as const,
  request: {
    params: runParams,
    headers: idempotencyHeader,
    body: { required: true, content: { 'application/json': { schema: evolutionConfig.openapi('NewEvolution') } } },
  },
  responses: {
    202: {
      description: 'The evolution',
      headers: z.object({ Location: z.string() }),
      content: { 'application/json': { schema: evolutionRecord.openapi('Evolution') } },
    },
    ...problems(
      'malformed-json',
      'unsupported-media-type',
      'body-too-large',
      'not-found',
      'wrong-state',
      'nothing-to-evolve',
      'idempotency-mismatch',
    ),
  },
});

export const createEvolution: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const config = c.req.valid('json');
    const run = await findExploration(c, id);
    const key = await repeatableKey(c.req.valid('header')['idempotency-key'], config);
    const evolution = unwrap(await run.evolve(config, key, new Date().toISOString()));
    c.header('Location', `/v1/explorations/${id}/evolutions/${evolution.number}`);
    return c.json(evolution, 202);
  });
