import type { z } from 'zod';

/** Formats an option's meaning and its default. */
export const describeWithDefault = (about: string, schema: z.ZodType): string =>
  `${about} (${String(schema.parse(undefined))} without it)`;
