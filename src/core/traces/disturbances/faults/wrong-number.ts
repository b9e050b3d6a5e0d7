import { changeOneValue } from '../changed-values.ts';
import type { Fault } from '../disturbance.ts';
import { findWhetherValueNoticed } from '../noticing.ts';

/** Numbers of two digits or more that are no part of a date, an id or a version; in JSON without spaces one follows `":`. */
const number = /(?<![\p{L}\p{N}_.,/-]|(?<!"):)-?\d+(?:\.\d+)?(?![\p{L}\p{N}_:/-]|[.,]\d)/gu;

/** Returns ten times a number, with the digits that it has; null for one that is too small to be told from others, or that reads as a year. */
function tenfoldOrNull(text: string): string | null {
  const [whole = '', decimals] = text.split('.');
  const isYear = decimals === undefined && /^(?:19|20)\d\d$/.test(whole);
  if (isYear || text.replaceAll(/\D/g, '').length < 2 || Number(text) === 0) return null;
  if (decimals === undefined) return `${whole}0`;
  const rest = decimals.slice(1);
  const tenfold = `${whole}${decimals.slice(0, 1)}`.replace(/^(-?)0+(?=\d)/, '$1');
  return `${tenfold}${rest === '' ? '' : `.${rest}`}`;
}

export const wrongNumber = {
  key: 'wrong-number',
  group: 'fault',
  title: 'wrong number',
  change: 'makes one number of one result ten times as large',
  right: 'doubt it where it is implausible, check it, or say that it was not checked',
  caveat:
    'care in general: some values nobody can doubt; compare agents on the same units, where they get the same value',
  changeAnswer: (answer, call, draw) => changeOneValue(answer, call, draw, { find: number, change: tenfoldOrNull }),
  findWhetherNoticed: findWhetherValueNoticed,
} as const satisfies Fault<'wrong-number'>;
