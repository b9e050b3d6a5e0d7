import { errorText, exitCodeFor, exitCodes } from '../command-line/error-output.ts';

/** Aborts all calls of a program, and knows whether a user interrupted it. */
export interface Interruption {
  /** Aborted when the program is interrupted, or when a part of it has failed. */
  readonly ending: AbortController;
  /** Prints why the program ends, and sets its exit code. After an interruption, that is the reason, whatever failed then. */
  readonly reportFailure: (error: unknown) => void;
}

/** Handles the signals that ask a program to end; from then on the program ends itself. */
export function makeInterruptionOnEndSignals(): Interruption {
  const ending = new AbortController();
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      interrupted = true;
      ending.abort();
    });
  }
  const reportFailure = (error: unknown): void => {
    console.error(interrupted ? 'stopped' : errorText(error));
    process.exitCode = interrupted ? exitCodes.interrupted : exitCodeFor(error);
  };
  return { ending, reportFailure };
}
