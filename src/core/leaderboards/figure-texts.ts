import { isolationSentences } from '#core/catalog/isolation/server-isolation.ts';
import { signedDifferenceText as signedNumber } from '#core/evaluation/figure-texts.ts';
import { mountingName, oracleMounting } from '#core/units/mounting/mounting.ts';
import { describeMounting, meanAndRangeText } from '#core/units/mounting/mounting-texts.ts';
import type { Entry } from './record.ts';

/** Figures formatted for people. A missing value is a dash, a missing interval is empty. */

const none = '–';

/** Formats a score with three decimals. */
export const scoreOrDashText = (value: number | null): string => (value === null ? none : value.toFixed(3));

/** Formats US dollars with enough digits. */
export const dollarsOrDashText = (value: number | null): string =>
  value === null ? none : `$${value !== 0 && Math.abs(value) < 0.01 ? value.toPrecision(2) : value.toFixed(2)}`;

/** Formats a difference with its sign. */
export const signedOrDashText = (value: number | null): string => (value === null ? none : signedNumber(value));

/** Formats a count with its thousands separated. */
export const countOrDashText = (value: number | null): string =>
  value === null ? none : Math.round(value).toLocaleString('en');

/** Formats milliseconds as seconds. */
export const secondsOrDashText = (ms: number | null): string => (ms === null ? none : `${(ms / 1000).toFixed(1)} s`);

/** Formats an interval as `low to high`, or nothing if there is none. */
export const intervalOrEmptyText = ({
  low,
  high,
}: {
  readonly low: number | null;
  readonly high: number | null;
}): string => (low === null || high === null ? '' : `${low.toFixed(3)} to ${high.toFixed(3)}`);

/** Says which tools an entry's agent saw, how many, and under which overlay. */
export function mountingAndToolCountsText({
  configuration,
  mounted,
}: Pick<Entry, 'configuration' | 'mounted'>): string {
  const { mounting = oracleMounting, overlay } = configuration;
  const counts =
    mounted === undefined
      ? ''
      : `; ${meanAndRangeText(mounted.tools)} tools, ${meanAndRangeText(mounted.schemaTokens)} schema tokens a unit`;
  const worded = overlay === undefined ? '' : `; worded by the overlay ${overlay.slice(0, 12)}`;
  return `${mountingName(mounting)}: ${describeMounting(mounting)}${counts}${worded}`;
}

/** Says how an entry's attempts were kept apart on the servers. */
export function isolationText({ isolation }: Pick<Entry, 'isolation'>): string {
  if (isolation === undefined) return 'not stated: an earlier release made it';
  const sentences = isolationSentences(isolation);
  return sentences.length === 0 ? 'No attempt could see what another one had changed.' : sentences.join(' ');
}
