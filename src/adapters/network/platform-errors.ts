/**
 * The platform stopped a request: a limit of the invocation is used up, or its engine or object is being replaced. This
 * says nothing about the server or model, so no layer turns it into a fault: it fails the step.
 */
export class PlatformError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PlatformError';
  }
}

const storageFull = /SQLITE_FULL/;

/** Returns whether an error says that nothing can be stored for want of room. */
export const isStorageFull = (error: Error): boolean => storageFull.test(error.message);

/**
 * Texts quoted by Cloudflare's documentation, its runtime and its users. An error that crossed a call has only its
 * text.
 */
const texts = [
  // Limits of an invocation.
  /too many subrequests/i,
  /response closed due to connection limit/i,
  /exceeded (its |the )?(cpu time|memory) limit/i,
  // A workflow's engine that is restarted, paused or terminated.
  /aborting engine/i,
  // An object that was reset, replaced or moved.
  /reset because its code was updated/i,
  /caused object to be reset/i,
  /because the object was reset/i,
  /object instance is no longer active/i,
  /object has moved to a different machine/i,
  /cannot resolve durable object due to transient issue/i,
  /script has been upgraded/i,
  // An object, or the account, with more requests than it can handle.
  /durable object is overloaded/i,
  /too much load on durable objects/i,
  // A full disk, or an object that has all that the platform gives it: what cannot be committed now is made again later.
  storageFull,
  // Connections that outlived the request that opened them.
  /cannot perform i\/o on behalf of a different/i,
];

/** Returns the platform's error in an error's chain of causes, however it was wrapped. */
export function findPlatformError(error: unknown): PlatformError | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (current instanceof PlatformError) return current;
    const { message } = current;
    if (hasFlag(current, 'durableObjectReset') || texts.some((text) => text.test(message))) {
      return new PlatformError(message, { cause: current });
    }
    current = current.cause;
  }
  return undefined;
}

/**
 * Returns whether a call to an object failed because of the platform, so that it may be repeated on a new stub. The
 * flags on a stub's errors count only here: `fetch` sets `retryable` for any connection that a server closes.
 */
export const isObjectUnavailable = (error: unknown): boolean =>
  findPlatformError(error) !== undefined ||
  (error instanceof Error &&
    (hasFlag(error, 'retryable') ||
      hasFlag(error, 'overloaded') ||
      objectTexts.some((text) => text.test(error.message))));

const objectTexts = [/network connection lost/i, /internal error; reference = /i];

const hasFlag = (error: Error, flag: string): boolean =>
  flag in error && Object.getOwnPropertyDescriptor(error, flag)?.value === true;
