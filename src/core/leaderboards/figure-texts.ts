import { signed as signedNumber } from '#core/evaluation/figures.ts';

/** Figures as a person is shown them. What has no value is a dash. */

const none = '–';

/** A score with three digits behind the point. */
export const figure = (value: number | null): string => (value === null ? none : value.toFixed(3));

/** US dollars with as many digits as tell something. */
export const dollars = (value: number | null): string =>
  value === null ? none : `$${value !== 0 && Math.abs(value) < 0.01 ? value.toPrecision(2) : value.toFixed(2)}`;

/** A difference with its sign. */
export const signed = (value: number | null): string => (value === null ? none : signedNumber(value));

export const count = (value: number | null): string => (value === null ? none : Math.round(value).toLocaleString('en'));

/** Milliseconds as seconds. */
export const seconds = (ms: number | null): string => (ms === null ? none : `${(ms / 1000).toFixed(1)} s`);

/** `low to high`, or nothing where there is none. */
export const interval = ({ low, high }: { readonly low: number | null; readonly high: number | null }): string =>
  low === null || high === null ? '' : `${low.toFixed(3)} to ${high.toFixed(3)}`;
