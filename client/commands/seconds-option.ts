import type { z } from 'zod';
import { makeSchemaNumberParser, optionalOption, type Option } from '../command-line/options.ts';

/** An option given in seconds and read as the milliseconds that the API expects. */
export const secondsOptionReadAsMs = (
  name: string,
  about: string,
  schema: z.ZodType<number | undefined>,
): Option<number | undefined> =>
  optionalOption(name, 'SECONDS', about, (given) =>
    makeSchemaNumberParser(schema)(given.trim() === '' ? '' : String(Math.round(Number(given) * 1000))),
  );
