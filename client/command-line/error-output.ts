import { startCommand } from '../../engine/installation.ts';
import { ApiError, ConnectionError } from '../http/errors.ts';
import { makePrintableLine } from './text.ts';
import { GateError, UndecidedError, UsageError } from '../../engine/usage-error.ts';

/** Exit codes. */
export const exitCodes = { failed: 1, usage: 2, undecided: 3, interrupted: 130 } as const;

/** Exit codes of a gate, which scripts tell apart from a command that failed. */
const gateCodes = { worse: 4, insufficient: 5, running: 6 } as const;

/** Formats an error as one paragraph for a person. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) {
    const request = error.requestId === '' ? '' : ` (request ${error.requestId})`;
    const retry = error.retryable ? ' Trying again can help.' : '';
    return makePrintableLine(`${error.title}: ${withFullStop(error.detail)} [${error.code}]${request}${retry}`);
  }
  if (error instanceof ConnectionError && error.unsent) {
    return makePrintableLine(`${error.message}. Does Sextant run there? "${startCommand}" starts it on this machine.`);
  }
  return makePrintableLine(error instanceof Error ? error.message : String(error));
}

const withFullStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Formats an error for a program. */
export function errorAsJsonObject(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof ApiError) {
    const { code, status, title, detail, retryable, requestId, issues } = error;
    return { error: { code, status, title, detail, retryable, requestId, issues } };
  }
  const code = error instanceof UsageError ? 'usage' : error instanceof Error ? error.name : 'unknown';
  return { error: { code, detail: error instanceof Error ? error.message : String(error) } };
}

export function exitCodeFor(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof GateError) return gateCodes[error.why];
  return error instanceof UndecidedError ? exitCodes.undecided : exitCodes.failed;
}
