import { isSuccessWithText, keepsStructuredContent, withChangedTexts } from '../answer-texts.ts';
import type { Fault } from '../disturbance.ts';
import { findWhetherFailureNoticed } from '../noticing.ts';

/** Empties lists and texts of a structured content, so that it keeps its form. */
const emptied = (value: unknown): unknown => {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, emptied(each)]));
};

export const empty = {
  key: 'empty',
  group: 'fault',
  title: 'empty result',
  change: 'empties the texts of one result, which stays marked as a success',
  right: 'call again or ask in another way, and not report that there is nothing',
  caveat: 'a result that is rightly empty: here there was something',
  changeAnswer: (answer) => {
    if (!isSuccessWithText(answer)) return null;
    const changed = withChangedTexts(answer, { text: () => '', structured: emptied });
    return keepsStructuredContent(answer, changed) ? null : { answer: changed };
  },
  findWhetherNoticed: findWhetherFailureNoticed,
} as const satisfies Fault<'empty'>;
