import type { FaultCode } from '#core/models/faults.ts';
import type { FetchGuardError } from './guarded-fetch.ts';

/** Why a request broke, and whether repeating it may help: `once` is for what took all the time there was. */
export interface BrokenRequest {
  readonly code: FaultCode;
  /** One line for a person, without secrets. */
  readonly detail: string;
  readonly transient: boolean | 'once';
}

/** Converts a guarded fetch's refusal to a fault, for callers for whom an answer that is too long is useless. */
export function convertGuardErrorToBrokenRequest({ code, message }: FetchGuardError): BrokenRequest {
  switch (code) {
    case 'address-forbidden':
    case 'not-proven':
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
