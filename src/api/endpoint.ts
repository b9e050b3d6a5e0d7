import { createRoute, z, type RouteConfig, type RouteHandler } from '@hono/zod-openapi';
import type { ApiEnv, Endpoint } from './context.ts';

/** An endpoint: its description and its handler, whose types must match. */
export const endpoint =
  <Path extends string, Route extends Omit<RouteConfig, 'path'> & { path: Path }>(
    route: Route,
    handler: RouteHandler<Route, ApiEnv>,
  ): Endpoint =>
  (api) =>
    void api.openapi(createRoute<Path, Route>(route), handler);

/** An id in a path. */
export const anId = z.string().max(100);

/** The path of one resource. */
export const idParams = z.object({ id: anId });

/** A JSON response. */
export const json = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
});

/** A JSON response for a created resource, with its address in `Location`. */
export const made = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  ...json(description, schema),
  headers: z.object({ Location: z.string() }),
});

/** A required JSON body. */
export const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema } },
});

/** A JSON Lines file as a response. */
export const jsonLines = (description: string) => ({
  description,
  content: { 'text/jsonl': { schema: z.string() } },
});

/** A JSON Lines file as a body. */
export const jsonLinesBody = { required: true, content: { 'text/jsonl': { schema: z.string() } } };
