import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';

/** A cursor may contain an agent and two tools, whose names are longer than ids. */
export const cursorChars = 700;

/** The query of a paged list. */
export const pageQuery = z.object({
  limit: documented(z.coerce.number().int().min(1).max(500).default(100), { description: 'How many at most' }),
  cursor: documented(z.string().max(cursorChars).default(''), { description: '`nextCursor` of the page before' }),
});

export const pageSchema = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

/** Builds a page from up to `limit + 1` items; an extra item means that there is a next page. */
export function makePageFromItemsAndOneMore<T>(
  read: readonly T[],
  limit: number,
  cursorOf: (item: T) => string,
): { items: T[]; nextCursor: string | null } {
  const items = read.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: read.length > limit && last !== undefined ? cursorOf(last) : null };
}
