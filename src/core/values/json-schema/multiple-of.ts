/** Returns whether a number is a multiple of another in decimal notation: 0.3 is a multiple of 0.1. */
export function isMultipleOf(value: number, divisor: number): boolean {
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
