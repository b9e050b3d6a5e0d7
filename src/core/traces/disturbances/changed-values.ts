import type { ServerReply } from '#core/catalog/server-reply.ts';
import { isSuccessWithText, listTextsOfResult, withReplacedValue } from './answer-texts.ts';
import type { ChangedAnswer, DisturbedCall, Draw } from './disturbance.ts';

/**
 * Returns an answer in which one value is another, well-formed one: drawn among those that `find` finds and that the call did not
 * pass itself. Null if there is none, or if the new one is in the answer already, so that it would prove nothing.
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
  const candidates = [...new Set(text.match(find) ?? [])].flatMap((was) => {
    const is = passed.includes(was) ? null : change(was);
    return is === null || is === was || text.includes(is) ? [] : [{ was, is }];
  });
  const drawn = candidates[candidates.length === 0 ? 0 : random('value').below(candidates.length)];
  if (drawn === undefined) return null;
  const changed = withReplacedValue(answer, drawn.was, drawn.is);
  return listTextsOfResult(changed).join('\n') === text ? null : { answer: changed, values: [drawn] };
}
