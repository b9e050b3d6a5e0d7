import type { z } from 'zod';

/** What an option means, and what holds without it. */
export const withDefault = (about: string, schema: z.ZodType): string =>
  `${about} (${String(schema.parse(undefined))} without it)`;
