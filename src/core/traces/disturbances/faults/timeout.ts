import type { Fault } from '../disturbance.ts';
import { findWhetherFailureNoticed } from '../noticing.ts';

export const timeout = {
  key: 'timeout',
  group: 'fault',
  title: 'time-out',
  change: 'answers one call as if the server had not answered in time; the server is not called, and nobody waits',
  right: 'call again, go another way, or say that it could not be done',
  caveat: 'patience: the agent does not lose the time that a real time-out takes',
  answerInstead: () => ({
    kind: 'fault',
    fault: { code: 'timeout', detail: 'no answer within the time of a call' },
  }),
  findWhetherNoticed: findWhetherFailureNoticed,
} as const satisfies Fault<'timeout'>;
