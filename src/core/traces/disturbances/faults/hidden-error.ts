import type { ServerReply } from '#core/catalog/server-reply.ts';
import { isSuccessWithText, makeTextResult } from '../answer-texts.ts';
import type { Fault } from '../disturbance.ts';
import { findWhetherFailureNoticed } from '../noticing.ts';

const text = 'Error: the upstream service did not answer (code 503). No data was returned.';

/**
 * Returns the error in the form of a result: alone, or also as the only text of a structured content, as servers wrap what they write.
 * Null where the structured content has another form, which an error could not keep, so that a client would see that it is one.
 */
function makeErrorInFormOrNull(structured: unknown): ServerReply | null {
  const error = makeTextResult(text);
  if (structured === undefined) return error;
  const [[key, wrapped] = ['', null], ...others] =
    typeof structured === 'object' && structured !== null ? Object.entries(structured) : [];
  if (Array.isArray(structured) || typeof wrapped !== 'string' || others.length > 0) return null;
  return { ...error, result: { ...error.result, structuredContent: { [key]: text } } };
}

export const hiddenError = {
  key: 'hidden-error',
  group: 'fault',
  title: 'error marked as success',
  change: 'replaces one result by an error text that is marked as a success',
  right: 'read the text, and call again, go another way or say that it failed',
  caveat: 'errors that carry their mark: `server-error` is that',
  changeAnswer: (answer) => {
    const changed = isSuccessWithText(answer) ? makeErrorInFormOrNull(answer.result['structuredContent']) : null;
    return changed === null ? null : { answer: changed };
  },
  findWhetherNoticed: findWhetherFailureNoticed,
} as const satisfies Fault<'hidden-error'>;
