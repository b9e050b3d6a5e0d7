import { createRoute, z, type RouteConfig, type RouteHandler } from '@hono/zod-openapi';
import type { ApiEnv, Endpoint } from './context.ts';

/** An endpoint: what the document says of it, and what answers. The two are held against each other by their types. */
export const endpoint =
  <Path extends string, Route extends Omit<RouteConfig, 'path'> & { path: Path }>(
    route: Route,
    handler: RouteHandler<Route, ApiEnv>,
  ): Endpoint =>
  (api) =>
    void api.openapi(createRoute<Path, Route>(route), handler);

/** The id of anything, as it stands in a path. */
export const anId = z.string().max(100);

/** The path of one resource. */
export const idParams = z.object({ id: anId });

/** An answer in JSON. */
export const json = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
});

/** The same, of something that was made: `Location` says where it is. */
export const made = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  ...json(description, schema),
  headers: z.object({ Location: z.string() }),
});

/** A body in JSON that has to be there. */
export const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema } },
});

/** A file of JSON Lines as an answer. */
export const jsonLines = (description: string) => ({
  description,
  content: { 'text/jsonl': { schema: z.string() } },
});

/** A file of JSON Lines as a body. */
export const jsonLinesBody = { required: true, content: { 'text/jsonl': { schema: z.string() } } };
