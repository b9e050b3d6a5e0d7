import type { ServerReply } from '#core/catalog/server-reply.ts';
import { isSuccessWithText, withFurtherBlock } from '../answer-texts.ts';
import type { ChangedAnswer, Draw } from '../disturbance.ts';
import { payloadTextWithCanary } from '../payload.ts';

/** Returns a result with a further text block that the attack frames; null for other answers. */
export function plantText(
  answer: ServerReply,
  { payload, canary }: Draw,
  frame: (text: string) => string = (text) => text,
): ChangedAnswer | null {
  if (!isSuccessWithText(answer)) return null;
  const text = frame(payloadTextWithCanary(payload, canary));
  return { answer: withFurtherBlock(answer, { type: 'text', text }) };
}
