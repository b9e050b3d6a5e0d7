import type { Fault } from '../disturbance.ts';
import { findWhetherFailureNoticed } from '../noticing.ts';

/** Seconds; longer than Sextant itself waits for a busy server, so that the agent is told. */
const retryAfter = 180;

export const busy = {
  key: 'busy',
  group: 'fault',
  title: 'HTTP 429',
  change: `answers one call with HTTP 429 and a Retry-After of ${retryAfter} seconds; the server is not called`,
  right: 'go another way, or say that the service is busy; a call at once is taken again, since no agent here can wait',
  caveat: 'whether it waits as long as it was told to',
  answerInstead: () => ({
    kind: 'fault',
    fault: { code: 'rate-limited', detail: `HTTP 429, Retry-After: ${retryAfter}`, status: 429 },
  }),
  findWhetherNoticed: findWhetherFailureNoticed,
} as const satisfies Fault<'busy'>;
