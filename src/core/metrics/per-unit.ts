import { scored, unscored, type Score } from './score.ts';

export interface SideParts {
  readonly source: number | null;
  readonly followUp: number | null;
}

/**
 * A unit's value of a metric that attempts have (TCS, TFD, AR, UIC, pass): the mean of its two attempts. Both must be
 * scored, lest a unit that is half missing be counted as a whole one. Only TFD's `no-calls` is a property of the
 * attempt and not a gap in the measurement: there the attempt that did make calls stands for the unit.
 */
export const perUnit = (source: Score, followUp: Score): Score<SideParts> => {
  const parts = { source: source.value, followUp: followUp.value };
  if (source.value !== null && followUp.value !== null) return scored((source.value + followUp.value) / 2, parts);
  if (source.value === null && source.reason !== 'no-calls') return unscored(source.reason, parts);
  if (followUp.value === null && followUp.reason !== 'no-calls') return unscored(followUp.reason, parts);
  const value = source.value ?? followUp.value;
  return value === null ? unscored('no-calls', parts) : scored(value, parts);
};

/** A unit's value over several trials: the mean of those that are scored; null where none is. */
export const overTrials = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
};
