import type { EndedRequest, WaitingRequest } from './governor.ts';

/** May the request start, or does the endpoint rest for longer than anybody keeps a connection open? */
export type Leave =
  | { readonly kind: 'start' }
  | {
      readonly kind: 'rest';
      readonly untilMs: number;
      /** Whether it rests because it does not answer. */
      readonly isBroken: boolean;
    };

/** Governs the requests to one endpoint of everybody who shares its limits. */
export interface Governor {
  /** Resolves when the request may start, or the endpoint turns out to rest; a repeated call changes nothing. */
  askForLeave(request: WaitingRequest): Promise<Leave>;
  /** Says that a request is still under way; without it, its lease ends by itself. */
  extendLease(lease: string): Promise<void>;
  /** Tells how a request ended. Returns whether the endpoint has been too busy for so long that it is a fault. */
  reportRequestEnd(request: EndedRequest): Promise<{ readonly isBusyForGood: boolean }>;
}
