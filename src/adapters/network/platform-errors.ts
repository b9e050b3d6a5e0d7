/**
 * The platform stopped a request: a limit of the invocation is used up, or the engine or object that made it is being replaced.
 * It says nothing about the server or model that was asked, so no layer turns it into a fault: it fails the step.
 */
export class PlatformError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PlatformError';
  }
}

/** What Cloudflare's documentation, its runtime and its users quote. An error that crossed a call has nothing but its text. */
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
  // An object, or the account, with more requests than it can take.
  /durable object is overloaded/i,
  /too much load on durable objects/i,
  // Connections that outlived the request that opened them.
  /cannot perform i\/o on behalf of a different/i,
];

/** The platform's error in an error's chain of causes, whatever has wrapped it. */
export function findPlatformError(error: unknown): PlatformError | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (current instanceof PlatformError) return current;
    const { message } = current;
    if (isSet(current, 'durableObjectReset') || texts.some((text) => text.test(message))) {
      return new PlatformError(message, { cause: current });
    }
    current = current.cause;
  }
  return undefined;
}

/**
 * Whether a call to an object failed because of the platform, so that it may be made again on a new stub. The flags that it sets
 * on a stub's errors count here only: `fetch` sets `retryable` for any connection that a server closes.
 */
export const isObjectUnavailable = (error: unknown): boolean =>
  findPlatformError(error) !== undefined ||
  (error instanceof Error &&
    (isSet(error, 'retryable') || isSet(error, 'overloaded') || objectTexts.some((text) => text.test(error.message))));

const objectTexts = [/network connection lost/i, /internal error; reference = /i];

const isSet = (error: Error, flag: string): boolean =>
  flag in error && Object.getOwnPropertyDescriptor(error, flag)?.value === true;
