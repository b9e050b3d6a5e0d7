import type { Fault } from '../disturbance.ts';

/** Long for a call, and below the time that calls have where nobody chooses. */
const delayMs = 8_000;

export const slow = {
  key: 'slow',
  group: 'fault',
  title: 'slow answer',
  change: `holds one answer back for ${delayMs / 1000} seconds`,
  right: 'wait: there is nothing wrong with the answer',
  caveat: 'something to notice: only success and what it costs are compared',
  changeAnswer: (answer) => ({ answer, delayMs }),
} as const satisfies Fault<'slow'>;
