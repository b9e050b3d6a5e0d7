import { z } from 'zod';

/** Parses the rows of a query; throws if one has another form, which is a defect of ours. */
export function parseRows<T>(schema: z.ZodType<T>, cursor: Iterable<Record<string, SqlStorageValue>>): T[] {
  return Array.from(cursor, (row) => schema.parse(row));
}

/** A column with JSON of a given form. */
export const jsonColumnSchema = <T>(schema: z.ZodType<T>) =>
  z.string().transform((text) => schema.parse(JSON.parse(text)));
