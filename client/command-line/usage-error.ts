/** The command line was used wrongly: says what was wrong and what would be right. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Something that the command line cannot do as things are. Exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** What was waited for is not there yet, because a person has to decide first. Exit code 3. */
export class UndecidedError extends Error {
  override readonly name = 'UndecidedError';
}
