import { z } from 'zod';
import type { Call, Transport } from './transport.ts';

/** How to read a list. */
export interface ListOptions {
  /** Items per page; the iterator requests as many pages as are needed. */
  readonly pageSize?: number;
  readonly signal?: AbortSignal;
}

const pageSchema = <S extends z.ZodType>(item: S) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

/** Returns every item of a list, page by page on demand. */
export async function* yieldItemsOfAllPages<S extends z.ZodType>(
  transport: Transport,
  item: S,
  at: string,
  query: NonNullable<Call['query']>,
  { pageSize, signal }: ListOptions = {},
): AsyncGenerator<z.output<S>, void, undefined> {
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: z.infer<ReturnType<typeof pageSchema<S>>> = await transport.requestJson(pageSchema(item), {
      method: 'GET',
      path: at,
      query: { ...query, limit: pageSize, cursor: cursor === '' ? undefined : cursor },
      repeatable: true,
      signal,
    });
    yield* page.items;
    cursor = page.nextCursor;
  }
}
