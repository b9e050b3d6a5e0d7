import { createRoute, z } from '@hono/zod-openapi';
import { roundReading } from '#core/exploration/reading-record.ts';
import { domainTransition, transitionRecord } from '#core/exploration/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { page, pageOf, pageQuery } from '../../pages.ts';
import { problems } from '../../problem.ts';
import { findExploration } from './find.ts';

const params = z.object({ id: z.string().max(100) });

const transitionsRoute = createRoute({
  method: 'get',
  path: '/v1/explorations/{id}/transitions',
  tags: ['explorations'],
  summary: 'List the transitions with their counts',
  middleware: [requires('read')] as const,
  request: { params, query: pageQuery },
  responses: {
    200: {
      description: 'A page of transitions, by their tools',
      content: { 'application/json': { schema: pageOf(transitionRecord.openapi('Transition')) } },
    },
    ...problems('not-found'),
  },
});

/** A cursor of two names; tool names hold no line breaks. */
const cursorOf = (transition: { from: string; to: string }): string => `${transition.from}\n${transition.to}`;

export const listTransitions: Endpoint = (api) =>
  void api.openapi(transitionsRoute, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const run = await findExploration(c, c.req.valid('param').id);
    return c.json(page(await run.listTransitions(cursor, limit + 1), limit, cursorOf), 200);
  });

const richnessRoute = createRoute({
  method: 'get',
  path: '/v1/explorations/{id}/richness',
  tags: ['explorations'],
  summary: 'The history of the estimates, a reading a round',
  description:
    'Look at probeCoverage first. transitionCoverage divides by Chao1, which is a lower bound without feedback, so the ratio flatters; with feedback Chao1 overshoots.',
  middleware: [requires('read')] as const,
  request: {
    params,
    query: pageQuery.extend({
      cursor: z
        .string()
        .regex(/^\d{0,9}$/, 'a round')
        .default(''),
    }),
  },
  responses: {
    200: {
      description: 'A page of readings',
      content: { 'application/json': { schema: pageOf(roundReading.openapi('RoundReading')) } },
    },
    ...problems('not-found'),
  },
});

export const listReadings: Endpoint = (api) =>
  void api.openapi(richnessRoute, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const run = await findExploration(c, c.req.valid('param').id);
    const read = await run.listReadings(Number(cursor), limit + 1);
    return c.json(
      page(read, limit, (reading) => String(reading.round)),
      200,
    );
  });

const domainsRoute = createRoute({
  method: 'get',
  path: '/v1/explorations/{id}/domains',
  tags: ['explorations'],
  summary: 'Transitions between domains, for a heat map',
  middleware: [requires('read')] as const,
  request: { params },
  responses: {
    200: {
      description: 'Every pair of domains that has a transition',
      content: {
        'application/json': { schema: z.object({ items: z.array(domainTransition.openapi('DomainTransition')) }) },
      },
    },
    ...problems('not-found'),
  },
});

export const listDomainTransitions: Endpoint = (api) =>
  void api.openapi(domainsRoute, async (c) => {
    const run = await findExploration(c, c.req.valid('param').id);
    return c.json({ items: await run.domainTransitions() }, 200);
  });
