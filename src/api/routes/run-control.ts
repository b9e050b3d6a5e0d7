import { createRoute, type z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Result } from '#core/errors.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { requires } from '../middleware/authenticate.ts';
import { problems, unwrap } from '../problem.ts';

const verbs = ['pause', 'resume', 'cancel'] as const;
type Verb = (typeof verbs)[number];

/** A run as these endpoints move it; each verb may be said again. */
type Moved<Record> = { readonly [V in Verb]: () => Promise<Result<Record>> };

/** The endpoints that pause, resume and cancel a run of some kind: the same with another verb. */
export const runControl = <Record extends object>(kind: {
  readonly resource: 'explorations' | 'evaluations';
  /** Where such a run is, with its parameters. */
  readonly path: `/v1/${string}`;
  readonly params: z.ZodObject;
  readonly schema: z.ZodType<Record>;
  readonly find: (c: Context<ApiEnv>, params: unknown) => Promise<Moved<Record>>;
  readonly about: { readonly [V in Verb]: { readonly summary: string; readonly description: string } };
}): readonly Endpoint[] =>
  verbs.map((verb): Endpoint => {
    const route = createRoute({
      method: 'post',
      path: `${kind.path}/${verb}`,
      tags: [kind.resource],
      ...kind.about[verb],
      middleware: [requires('run')] as const,
      request: { params: kind.params },
      responses: {
        200: { description: 'The run', content: { 'application/json': { schema: kind.schema } } },
        ...problems('not-found', 'wrong-state', 'unsupported-media-type', 'body-too-large'),
      },
    });
    return (api) =>
      void api.openapi(route, async (c) => {
        const run = await kind.find(c, c.req.valid('param'));
        return c.json(unwrap(await run[verb]()), 200);
      });
  });
