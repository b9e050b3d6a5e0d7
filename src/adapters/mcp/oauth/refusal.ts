import type { FaultCode } from '#core/models/faults.ts';

/** Why there is no token, or why it is not enough: one sentence for a person, without secrets. */
export class OAuthRefusal extends Error {
  readonly code: FaultCode;
  readonly status: number | undefined;
  /** Whether what was given before is good for nothing any more (`invalid_grant`). */
  readonly isForGood: boolean;

  constructor(code: FaultCode, detail: string, status?: number, isForGood = false) {
    super(detail);
    this.name = 'OAuthRefusal';
    this.code = code;
    this.status = status;
    this.isForGood = isForGood;
  }
}

/** Returns the refusal in an error's chain of causes, if there is one. */
export function findOAuthRefusal(error: unknown): OAuthRefusal | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (current instanceof OAuthRefusal) return current;
    current = current.cause;
  }
  return undefined;
}

/** A code of an error as a server states it; what looks like no code is left out, for it could be anything, even a secret. */
export const printableErrorCode = (code: string): string => (/^[a-z_]{1,40}$/.test(code) ? code : 'an unknown error');

/** An address or scopes as a server states them, safe to show. */
export const printableStatedText = (text: string): string => text.replaceAll(/[^\x21-\x7E ]/g, '?').slice(0, 300);

/** Returns whether a status says nothing about the request: who answers so may do what was asked later. */
export const isBusyOrServerErrorStatus = (status: number): boolean => status === 429 || status >= 500;

/** Says that an authorization server works badly or is asked too often. */
export const makeBusyRefusal = (who: string, status: number): OAuthRefusal =>
  new OAuthRefusal(
    status === 429 ? 'rate-limited' : 'unreachable',
    `${who} gives no answer at present: HTTP status ${status}`,
  );
