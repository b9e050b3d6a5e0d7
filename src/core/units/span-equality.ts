import type { Verdict } from '#core/catalog/schema-fields.ts';
import { normalizeCaseAndSpace } from '#core/similarity/plain-text.ts';
import { mayBeSameQuantity, extractQuantitiesAndRest, type Quantity } from '#core/similarity/quantities.ts';

/** Units of other systems, in the smallest unit of the common one. */
const conversions: ReadonlyMap<string, readonly [unit: string, convert: (size: number) => number]> = new Map([
  ['mile', ['mm', (size: number) => size * 1_609_344]],
  ['foot', ['mm', (size: number) => size * 304.8]],
  ['inch', ['mm', (size: number) => size * 25.4]],
  ['fahrenheit', ['celsius', (size: number) => ((size - 32) * 5) / 9]],
]);

/** Largest relative difference of amounts that are the same: people round what they convert. */
const rounding = 0.01;

/**
 * Returns whether words of the two requests state the same value: yes or no where both have amounts, times or dates that
 * can be compared, else `unknown`.
 */
export function sameValueVerdictOnSpans(source: string, followUp: string): Verdict {
  if (normalizeCaseAndSpace(source) === normalizeCaseAndSpace(followUp)) return 'yes';
  const [ours, theirs] = [extractQuantitiesAndRest(source).quantities, extractQuantitiesAndRest(followUp).quantities];
  if (ours.length === 0 || ours.length !== theirs.length) return 'unknown';
  const verdicts = ours.map((quantity, place) => {
    const other = theirs[place];
    return other === undefined ? 'unknown' : sameQuantityVerdict(quantity, other);
  });
  if (verdicts.every((verdict) => verdict === 'yes')) return 'yes';
  return ours.length === 1 && verdicts[0] === 'no' ? 'no' : 'unknown';
}

function sameQuantityVerdict(a: Quantity, b: Quantity): Verdict {
  if (a.kind === 'number' && b.kind === 'number') return sameNumberVerdict(a, b);
  if (mayBeSameQuantity(a, b)) return 'yes';
  // A weekday may be a date, and today too.
  return a.kind === b.kind ? 'no' : 'unknown';
}

type Amount = Extract<Quantity, { kind: 'number' }>;

function sameNumberVerdict(a: Amount, b: Amount): Verdict {
  if (a.unit === null || b.unit === null) {
    if (a.value === b.value) return 'yes';
    return a.unit === b.unit ? 'no' : 'unknown';
  }
  const [one, other] = [convertToCommonUnit(a.unit, a.size), convertToCommonUnit(b.unit, b.size)];
  if (one.unit !== other.unit) return 'unknown';
  return Math.abs(one.size - other.size) <= rounding * Math.max(Math.abs(one.size), Math.abs(other.size))
    ? 'yes'
    : 'no';
}

function convertToCommonUnit(unit: string, size: number): { readonly unit: string; readonly size: number } {
  const [common = unit, to = (same: number) => same] = conversions.get(unit) ?? [];
  return { unit: common, size: to(size) };
}
