import { isSuccessWithText, makeTextResult } from '../answer-texts.ts';
import type { Fault } from '../disturbance.ts';
import { findWhetherFailureNoticed } from '../noticing.ts';

export const hiddenError = {
  key: 'hidden-error',
  group: 'fault',
  title: 'error marked as success',
  change: 'replaces one result by an error text that is marked as a success',
  right: 'read the text, and call again, go another way or say that it failed',
  caveat: 'errors that carry their mark: `server-error` is that',
  changeAnswer: (answer) =>
    isSuccessWithText(answer)
      ? { answer: makeTextResult('Error: the upstream service did not answer (code 503). No data was returned.') }
      : null,
  findWhetherNoticed: findWhetherFailureNoticed,
} as const satisfies Fault<'hidden-error'>;
