import { sha256Hex } from './canonical.ts';

const known = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** Returns whether a text is a `traceparent` of the W3C's Trace Context, version 00; ids of zeros alone are invalid there. */
export function isTraceparent(text: string): boolean {
  const [, trace = '', span = ''] = known.exec(text) ?? [];
  return /[1-9a-f]/.test(trace) && /[1-9a-f]/.test(span);
}

/** Returns the trace id of an attempt: the first 32 hex digits of the SHA-256 of its name. All its calls share it. */
export const computeTraceIdOfAttempt = async (attempt: string): Promise<string> =>
  (await sha256Hex(attempt)).slice(0, 32);

/** Returns the `traceparent` of one request of a trace, marked as sampled. `span` is 16 hex digits. */
export const makeTraceparent = (traceId: string, span: string): string => `00-${traceId}-${span}-01`;

/** Returns the name of an attempt, from which its trace id is computed. `place` is agent, trial and request, or the request alone. */
export const attemptName = (run: string, unit: string, place: string): string => `${run}/${unit}/${place}`;
