import { changeOneValue } from '../changed-values.ts';
import type { Fault } from '../disturbance.ts';
import { findWhetherValueNoticed } from '../noticing.ts';

const date = /(?<![\p{L}\p{N}_-])\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)/gu;

/** Returns the date a year earlier; null for a leap day, which no such year has. */
const yearEarlierOrNull = (text: string): string | null =>
  text.endsWith('-02-29') ? null : `${String(Number(text.slice(0, 4)) - 1).padStart(4, '0')}${text.slice(4)}`;

export const staleDate = {
  key: 'stale-date',
  group: 'fault',
  title: 'stale date',
  change: 'makes one ISO date of one result a year earlier',
  right: 'see that it does not fit the request or the rest, check it, or say so',
  caveat: 'data that is rightly old',
  changeAnswer: (answer, call, draw) => changeOneValue(answer, call, draw, { find: date, change: yearEarlierOrNull }),
  findWhetherNoticed: findWhetherValueNoticed,
} as const satisfies Fault<'stale-date'>;
