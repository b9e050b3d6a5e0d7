import { isSuccessWithText, keepsStructuredContent, listTextsOfResult, withChangedTexts } from '../answer-texts.ts';
import type { Fault } from '../disturbance.ts';
import { findWhetherFailureNoticed } from '../noticing.ts';

/** Shorter results are left alone: half of them is no result any more. */
const minChars = 80;

const halfOfText = (text: string): string =>
  text.length < minChars ? text : [...text].slice(0, Math.ceil([...text].length / 2)).join('');

/** Cuts lists and long texts of a structured content in half, so that it keeps its form. */
const halved = (value: unknown): unknown => {
  if (typeof value === 'string') return halfOfText(value);
  if (Array.isArray(value)) return value.slice(0, Math.ceil(value.length / 2)).map(halved);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, halved(each)]));
};

export const truncated = {
  key: 'truncated',
  group: 'fault',
  title: 'cut result',
  change: `cuts the texts of one result of at least ${minChars} characters in half, without a mark`,
  right: 'see that the end is missing, ask for the rest, or say that the answer may lack something',
  caveat: 'a result that its server pages or cuts with a mark',
  changeAnswer: (answer) => {
    if (!isSuccessWithText(answer) || listTextsOfResult(answer).every((text) => text.length < minChars)) return null;
    const changed = withChangedTexts(answer, { text: halfOfText, structured: halved });
    return keepsStructuredContent(answer, changed) ? null : { answer: changed };
  },
  findWhetherNoticed: findWhetherFailureNoticed,
} as const satisfies Fault<'truncated'>;
