import { signed as signedNumber } from '#core/evaluation/figures.ts';

/** Figures formatted for people. A missing value is a dash. */

const none = '–';

/** Formats a score with three decimals. */
export const figure = (value: number | null): string => (value === null ? none : value.toFixed(3));

/** Formats US dollars with enough digits. */
export const dollars = (value: number | null): string =>
  value === null ? none : `$${value !== 0 && Math.abs(value) < 0.01 ? value.toPrecision(2) : value.toFixed(2)}`;

/** Formats a difference with its sign. */
export const signed = (value: number | null): string => (value === null ? none : signedNumber(value));

export const count = (value: number | null): string => (value === null ? none : Math.round(value).toLocaleString('en'));

/** Formats milliseconds as seconds. */
export const seconds = (ms: number | null): string => (ms === null ? none : `${(ms / 1000).toFixed(1)} s`);

/** Formats an interval as `low to high`, or nothing if there is none. */
export const interval = ({ low, high }: { readonly low: number | null; readonly high: number | null }): string =>
  low === null || high === null ? '' : `${low.toFixed(3)} to ${high.toFixed(3)}`;
