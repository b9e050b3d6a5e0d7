import type { ServerReply } from '#core/catalog/server-reply.ts';
import {
  isSameValue,
  isSuccessWithText,
  listTextsOfResult,
  saysStructuredContentInText,
  withReplacedValue,
} from './answer-texts.ts';
import type { ChangedAnswer, DisturbedCall, Draw } from './disturbance.ts';

/**
 * Returns an answer in which one value is another, well-formed one: drawn among those that `find` finds and that the call did not
 * pass itself. Null if there is none, if the new one is in the answer already, so that it would prove nothing, or if text and structured
 * content would differ. Names of fields are no values.
 */
export function changeOneValue(
  answer: ServerReply,
  call: DisturbedCall,
  { random }: Draw,
  { find, change }: { readonly find: RegExp; readonly change: (value: string) => string | null },
): ChangedAnswer | null {
  if (!isSuccessWithText(answer)) return null;
  const text = listTextsOfResult(answer).join('\n');
  const passed = JSON.stringify(call.arguments);
  const value = new RegExp(`(?:${find.source})${notField}`, find.flags);
  const isPassed = (was: string): boolean =>
    passed.includes(was) || passed.split(noNumber).some((each) => isSameValue(each, was));
  const candidates = [...new Set(text.match(value) ?? [])].flatMap((was) => {
    const is = isPassed(was) ? null : change(was);
    return is === null || is === was || text.includes(is) ? [] : [{ was, is }];
  });
  const drawn = candidates[candidates.length === 0 ? 0 : random('value').below(candidates.length)];
  if (drawn === undefined) return null;
  const changed = withReplacedValue(answer, drawn, value);
  if (listTextsOfResult(changed).join('\n') === text) return null;
  const differs = saysStructuredContentInText(answer) && !saysStructuredContentInText(changed);
  return differs ? null : { answer: changed, values: [drawn] };
}

const notField = String.raw`(?!"\s*:)`;
const noNumber = /[^\d.-]+/;
