/** The idempotency key of a creating call, as the object stores it that holds what was created. */
export interface IdempotencyKey {
  readonly key: string;
  /** Fingerprint of the body: a different body under the same key is refused. */
  readonly fingerprint: string;
}
