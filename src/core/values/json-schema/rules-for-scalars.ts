import { formats, maxFormatChars } from './formats.ts';
import type { Case, Rule, Rules } from './rule.ts';
import type { Verdict } from './verdict.ts';

/** Returns whether a number is a multiple of another in decimal notation: 0.3 is a multiple of 0.1. */
function isMultipleOf(value: number, divisor: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(divisor) || divisor <= 0) return false;
  const one = parseDecimal(value);
  const other = parseDecimal(divisor);
  const exponent = Math.min(one.exponent, other.exponent);
  return scaleToExponent(one, exponent) % scaleToExponent(other, exponent) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function parseDecimal(value: number): Decimal {
  const [digits = '', exponent = '0'] = Math.abs(value).toString().split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

const scaleToExponent = ({ digits, exponent }: Decimal, to: number): bigint => digits * 10n ** BigInt(exponent - to);

/** Keywords for texts. */
export const rulesForTexts: Rules<string> = new Map<string, Rule<string>>([
  ['minLength', (at) => checkTextLength(at, (length, bound) => length >= bound, 'shorter')],
  ['maxLength', (at) => checkTextLength(at, (length, bound) => length <= bound, 'longer')],
  ['pattern', checkPattern],
  ['format', checkFormat],
]);

/** Keywords for numbers. */
export const rulesForNumbers: Rules<number> = new Map<string, Rule<number>>([
  // Draft 4 marks a bound as exclusive with `true`.
  [
    'minimum',
    (at) => checkBound(at, at.schema['exclusiveMinimum'] === true ? isMore : (value, bound) => value >= bound),
  ],
  [
    'maximum',
    (at) => checkBound(at, at.schema['exclusiveMaximum'] === true ? isLess : (value, bound) => value <= bound),
  ],
  ['exclusiveMinimum', (at) => checkBound(at, isMore)],
  ['exclusiveMaximum', (at) => checkBound(at, isLess)],
  [
    'multipleOf',
    ({ given, value, place, by }) =>
      typeof given !== 'number' ||
      isMultipleOf(value, given) ||
      by.complainAndReturnFalse(place, `is no multiple of ${given}`),
  ],
]);

const isMore = (value: number, bound: number): boolean => value > bound;
const isLess = (value: number, bound: number): boolean => value < bound;

function checkBound(
  { given, value, place, by }: Case<number>,
  holds: (value: number, bound: number) => boolean,
): Verdict {
  return (
    typeof given !== 'number' || holds(value, given) || by.complainAndReturnFalse(place, `is beyond the bound ${given}`)
  );
}

function checkTextLength(
  { given, value, place, by }: Case<string>,
  holds: (length: number, bound: number) => boolean,
  wrong: string,
): Verdict {
  if (typeof given !== 'number') return true;
  // Counting code points reads the whole text; usually both bounds of the possible length agree.
  const [most, least] = [holds(value.length, given), holds(Math.ceil(value.length / 2), given)];
  if (most !== least && !by.steps.tryTake(value.length / 16)) return null;
  const fits = most === least ? most : holds(countCodePoints(value), given);
  return fits || by.complainAndReturnFalse(place, `is ${wrong} than ${given} characters`);
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function checkPattern({ given, value, place, by }: Case<string>): Verdict {
  if (typeof given !== 'string') return true;
  const matches = by.getCompiledPatternOrNull(given)?.hasMatch(value, by.steps) ?? null;
  return matches === false ? by.complainAndReturnFalse(place, `does not match the pattern ${given}`) : matches;
}

function checkFormat({ given, value, place, by }: Case<string>): Verdict {
  const has = typeof given === 'string' ? formats.get(given) : undefined;
  if (has === undefined) return true;
  if (value.length > maxFormatChars) return null;
  return has(value) || by.complainAndReturnFalse(place, `is no ${String(given)}`);
}
