import { computeTraceIdOfAttempt, isTraceparent, makeTraceparent } from '#core/values/traceparent.ts';

/** What a call says in `_meta` about where it belongs (W3C Trace Context; SEP-414 of MCP reserves the key). */
type TraceContext = { readonly traceparent: string };

/**
 * Returns what makes the trace context of each call of one attempt: the caller's own if it is valid, else one of the attempt's trace,
 * with a span of its own.
 */
export function makeTraceContextMaker(attempt: string): (given: string | undefined) => Promise<TraceContext> {
  const traceId = computeTraceIdOfAttempt(attempt);
  return async (given) => ({
    traceparent:
      given !== undefined && isTraceparent(given) ? given : makeTraceparent(await traceId, makeRandomSpanId()),
  });
}

/** The first byte is odd, because an id of zeros alone is invalid. */
function makeRandomSpanId(): string {
  const [first = 0, ...others] = crypto.getRandomValues(new Uint8Array(8));
  return [first | 1, ...others].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
