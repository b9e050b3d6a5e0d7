import type { Fault } from '../disturbance.ts';
import { findWhetherFailureNoticed } from '../noticing.ts';

export const serverError = {
  key: 'server-error',
  group: 'fault',
  title: 'HTTP 500',
  change: 'answers one call with HTTP 500; the server is not called',
  right: 'call again, go another way, or say that it could not be done',
  caveat: 'an outage: the next call gets through',
  answerInstead: () => ({
    kind: 'fault',
    fault: { code: 'http-status', detail: 'HTTP 500 Internal Server Error', status: 500 },
  }),
  findWhetherNoticed: findWhetherFailureNoticed,
} as const satisfies Fault<'server-error'>;
