/** Aborts all calls of a program, and knows whether a user interrupted it. */
export interface Interruption {
  /** Aborted when the program is interrupted, or when a part of it has failed. */
  readonly ending: AbortController;
  readonly wasInterrupted: () => boolean;
}

/** Handles the signals that ask a program to end; from then on the program ends itself. */
export function listenForInterruption(): Interruption {
  const ending = new AbortController();
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      interrupted = true;
      ending.abort();
    });
  }
  return { ending, wasInterrupted: () => interrupted };
}
