import { z } from 'zod';

/** A row of a query, parsed; a row of another form is a defect of ours and throws. */
export function parseRows<T>(schema: z.ZodType<T>, cursor: Iterable<Record<string, SqlStorageValue>>): T[] {
  return Array.from(cursor, (row) => schema.parse(row));
}

/** A column that holds JSON of a form. */
export const jsonOf = <T>(schema: z.ZodType<T>) => z.string().transform((text) => schema.parse(JSON.parse(text)));
