import { errorText } from '../../client/command-line/error-output.ts';
import { makePrintable } from '../../client/command-line/text.ts';
import { UsageError } from '../../client/command-line/usage-error.ts';

/** Formats an error for a person. Input errors keep their lines: one for each field. */
export const complaintOf = (error: unknown): string =>
  error instanceof UsageError ? error.message.split('\n').map(makePrintable).join('\n') : errorText(error);
