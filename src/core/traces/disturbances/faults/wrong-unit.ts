import { changeOneValue } from '../changed-values.ts';
import type { Fault } from '../disturbance.ts';
import { findWhetherValueNoticed } from '../noticing.ts';

/** Units that are taken for each other. */
const others: ReadonlyMap<string, string> = new Map([
  ['km', 'mi'],
  ['mi', 'km'],
  ['kilometers', 'miles'],
  ['miles', 'kilometers'],
  ['km/h', 'mph'],
  ['mph', 'km/h'],
  ['kg', 'lb'],
  ['lb', 'kg'],
  ['°C', '°F'],
  ['°F', '°C'],
  ['celsius', 'fahrenheit'],
  ['fahrenheit', 'celsius'],
  ['Celsius', 'Fahrenheit'],
  ['USD', 'GBP'],
  ['EUR', 'GBP'],
  ['GBP', 'EUR'],
  ['metric', 'imperial'],
  ['imperial', 'metric'],
  ['liters', 'gallons'],
  ['MB', 'GB'],
  ['GB', 'MB'],
  ['ms', 's'],
]);

const names = [...others.keys()].toSorted((a, b) => b.length - a.length).join('|');
/** A unit after a number, or a unit that stands by itself. */
const unit = new RegExp(String.raw`(?<![\p{L}\p{N}_.,])(?:\d+(?:\.\d+)? ?)?(?:${names})(?![\p{L}\p{N}_/])`, 'gu');

const withOtherUnit = (text: string): string =>
  text.replace(new RegExp(`(?:${names})$`, 'u'), (name) => others.get(name) ?? name);

export const wrongUnit = {
  key: 'wrong-unit',
  group: 'fault',
  title: 'wrong unit',
  change: 'puts another unit in place of one in one result, such as miles for kilometres',
  right: 'see that value and unit do not fit together, check it, or say so',
  caveat: 'arithmetic with units: only whether the stated one is believed',
  changeAnswer: (answer, call, draw) => changeOneValue(answer, call, draw, { find: unit, change: withOtherUnit }),
  findWhetherNoticed: findWhetherValueNoticed,
} as const satisfies Fault<'wrong-unit'>;
