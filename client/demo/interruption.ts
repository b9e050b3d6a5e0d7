/** What ends all calls of a program, and whether that was because somebody interrupted it. */
export interface Interruption {
  /** Aborted when the program is interrupted; and by itself, when a part of it has failed. */
  readonly ending: AbortController;
  readonly wasInterrupted: () => boolean;
}

/** Listens for the signals that ask a program to end; from then on it ends itself. */
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
