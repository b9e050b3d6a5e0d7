import { formats } from '#core/json-schema/formats.ts';
import { extractQuantitiesAndRest } from '#core/similarity/quantities.ts';
import type { SpanVerdict } from './span-value.ts';

const yes: SpanVerdict = { verdict: 'yes', reason: 'says a value of the format' };

/** Formats that people write in one way only, with what words must have to contain one. */
const exact: ReadonlyMap<string, RegExp> = new Map([
  ['email', /\S@\S+\.\S/],
  ['ipv4', /\d+\.\d+\.\d+\.\d+/],
  ['ipv6', /[\da-f]*:[\da-f:]+/i],
  ['uuid', /[\da-f]{8}-[\da-f-]{27}/i],
]);

/** Formats of dates and times, with the kinds of quantities that state one. */
const timely: ReadonlyMap<string, readonly string[]> = new Map([
  ['date', ['date', 'weekday', 'relative']],
  ['date-time', ['date', 'weekday', 'relative', 'time']],
  ['time', ['time']],
]);

/**
 * Returns whether a span states a value of a format. Dates, times and addresses can be said in many ways, so that other
 * words than a known one are `unknown`; an e-mail address, an IP address or a UUID that is not there is a no.
 */
export function formatVerdict(format: string, span: string): SpanVerdict {
  if (formats.get(format)?.(span.trim()) === true) return yes;
  const pattern = exact.get(format);
  if (pattern !== undefined) return pattern.test(span) ? yes : { verdict: 'no', reason: `says no ${format}` };
  const kinds = timely.get(format);
  if (kinds !== undefined)
    return extractQuantitiesAndRest(span).quantities.some(({ kind }) => kinds.includes(kind))
      ? yes
      : { verdict: 'unknown', reason: `says no ${format} that can be recognised` };
  if (/^(?:uri|url|iri)(?:-reference)?$/.test(format))
    return /\w\.\p{L}{2,}|:\/\//u.test(span) ? yes : { verdict: 'unknown', reason: 'says no address' };
  return yes;
}
