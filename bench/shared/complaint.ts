import { errorText } from '../../client/command-line/error-output.ts';
import { makePrintableLine } from '../../client/command-line/text.ts';
import { UsageError } from '../../engine/usage-error.ts';

/** Formats an error for a person. Input errors keep their lines: one for each field. */
export const errorTextKeepingLines = (error: unknown): string =>
  error instanceof UsageError ? error.message.split('\n').map(makePrintableLine).join('\n') : errorText(error);
