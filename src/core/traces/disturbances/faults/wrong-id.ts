import { changeOneValue } from '../changed-values.ts';
import type { Fault } from '../disturbance.ts';
import { findWhetherValueNoticed } from '../noticing.ts';

/** Words of six characters or more with letters and digits, and UUIDs; no points in time. */
const id =
  /(?<![\p{L}\p{N}_-])(?!\d{4}-\d\d-\d\dT)(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9][\w-]{4,}[A-Za-z0-9](?![\p{L}\p{N}_-])/gu;

/** Returns an id whose last digit is another one. */
const withOtherDigit = (text: string): string =>
  text.replace(/\d(?=\D*$)/u, (digit) => String((Number(digit) + 3) % 10));

export const wrongId = {
  key: 'wrong-id',
  group: 'fault',
  title: 'wrong id',
  change: 'changes one digit of one id in one result',
  right: 'check it, or see from the failure of the next call that it does not exist',
  caveat: 'a typing error of the agent: the id was wrong when it got it',
  changeAnswer: (answer, call, draw) => changeOneValue(answer, call, draw, { find: id, change: withOtherDigit }),
  findWhetherNoticed: findWhetherValueNoticed,
} as const satisfies Fault<'wrong-id'>;
