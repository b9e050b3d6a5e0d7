import { z } from '@hono/zod-openapi';

/** The path of a run, by its id. */
export const runParams = z.object({ id: z.string().max(100) });
