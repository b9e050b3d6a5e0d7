import { createRoute, z, type RouteConfig, type RouteHandler } from '@hono/zod-openapi';
import type { ApiEnv, Endpoint } from './context.ts';

/** An endpoint: its description and its handler, whose types must match. */
export const makeEndpoint =
  <Path extends string, Route extends Omit<RouteConfig, 'path'> & { path: Path }>(
    route: Route,
    handler: RouteHandler<Route, ApiEnv>,
  ): Endpoint =>
  (api) =>
    void api.openapi(createRoute<Path, Route>(route), handler);

/** An id in a path. */
export const idSchema = z.string().max(100);

/** The path of one resource. */
export const idParams = z.object({ id: idSchema });

/** A JSON response. */
export const describeJsonResponse = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
});

/** A JSON response for a created resource, with its address in `Location`. */
export const describeCreatedResponse = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  ...describeJsonResponse(description, schema),
  headers: z.object({ Location: z.string() }),
});

/** A required JSON body. */
export const describeJsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema } },
});

/** A JSON Lines file as a response. */
export const describeJsonLinesResponse = (description: string) => ({
  description,
  content: { 'text/jsonl': { schema: z.string() } },
});

/** A JSON Lines file as a body. */
export const jsonLinesBody = { required: true, content: { 'text/jsonl': { schema: z.string() } } };
