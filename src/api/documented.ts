import { z } from '@hono/zod-openapi';

type Words = { readonly description?: string; readonly example?: unknown };

/**
 * Returns the schema with its name in the API's document, its words, or both. Like the method `openapi`, which only those schemas have
 * that were made after the library was loaded.
 */
export const documented = <T extends z.ZodType>(schema: T, ...as: [Words] | [name: string, words?: Words]): T =>
  z.ZodType.prototype.openapi.apply(schema, as);
