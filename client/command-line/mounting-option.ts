import {
  mountingName,
  parseMountingNameOrNull,
  standardMounting,
  type Mounting,
} from '#core/units/mounting/mounting.ts';
import { optionalOption } from './options.ts';
import { UsageError } from '../../engine/usage-error.ts';

/** How a mounting is written. */
export const mountingForms = 'oracle, standard, standard:TOOLS,TOKENS, distractors:SERVERS or max-scale';

/** Parses a mounting from its name. */
export function parseMounting(given: string): Mounting {
  const found = parseMountingNameOrNull(given);
  if (found === null) throw new UsageError(`give one of ${mountingForms}`);
  return found;
}

/** The option for the mounting of an agent that is named by `whose`, and has `byDefault` without it. */
export const makeMountingOption = (whose: string, byDefault: Mounting = standardMounting) =>
  optionalOption(
    'mounting',
    'MOUNTING',
    `which tools ${whose} sees besides those of the chain's servers: ${mountingForms} (${mountingName(byDefault)} without it)`,
    parseMounting,
  );
