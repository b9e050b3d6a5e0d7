import type { FaultCode } from '#core/faults.ts';
import type { FetchGuardError } from './guarded-fetch.ts';

/** Why a request broke, and whether the same one may do better later. */
export interface BrokenRequest {
  readonly code: FaultCode;
  /** One line for a person, free of secrets. */
  readonly detail: string;
  readonly transient: boolean;
}

/** What a guarded fetch's refusal is to whoever asked for one answer, and had no use for a longer one. */
export function brokenByGuard({ code, message }: FetchGuardError): BrokenRequest {
  switch (code) {
    case 'address-forbidden':
    case 'timeout':
      return { code, detail: message, transient: false };
    case 'too-many-redirects':
      return { code: 'http-status', detail: message, transient: false };
    case 'unreachable':
    case 'connection-lost':
      return { code, detail: message, transient: true };
    case 'body-too-large':
      return { code: 'malformed-protocol', detail: message, transient: false };
  }
}
