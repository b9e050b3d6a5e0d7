/** The command line was used incorrectly; the message says what was wrong and what would be right. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command line cannot do something in the current state. Exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The awaited result is not there yet, because a person must decide first. Exit code 3. */
export class UndecidedError extends Error {
  override readonly name = 'UndecidedError';
}

/** A gate did not let a candidate pass. Exit code 4, 5 or 6. */
export class GateError extends Error {
  override readonly name = 'GateError';
  readonly why: 'worse' | 'insufficient' | 'running';

  constructor(why: GateError['why'], message: string) {
    super(message);
    this.why = why;
  }
}
