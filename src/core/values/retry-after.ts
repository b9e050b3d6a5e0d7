/**
 * Returns how long an answer asks its client to wait, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or
 * as a date; undefined if it does not ask.
 */
export function parseRetryAfterMs(headers: Headers | undefined, nowMs: number): number | undefined {
  const millis = parseNonNegative(headers?.get('retry-after-ms'));
  if (millis !== undefined) return millis;
  const after = headers?.get('retry-after');
  const asSeconds = parseNonNegative(after);
  if (asSeconds !== undefined) return asSeconds * 1_000;
  const date = Date.parse(after ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function parseNonNegative(text: string | null | undefined): number | undefined {
  const value = Number(text?.trim() || 'none');
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
