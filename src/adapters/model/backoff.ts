const firstMs = 500;
const longestMs = 20_000;

/**
 * How long to wait before a request is repeated, in milliseconds. What the endpoint asks for counts (`retry-after-ms`, or
 * `retry-after` in seconds or as a date); without it 0.5 s doubled with every repeat up to 20 s, less up to half by `random`
 * (0..1), so that many callers do not come back at once.
 */
export function waitMs(repeat: number, headers: Headers | undefined, nowMs: number, random: () => number): number {
  const asked = askedMs(headers, nowMs);
  if (asked !== undefined) return asked;
  return Math.round(Math.min(longestMs, firstMs * 2 ** repeat) * (1 - random() / 2));
}

function askedMs(headers: Headers | undefined, nowMs: number): number | undefined {
  const millis = seconds(headers?.get('retry-after-ms'));
  if (millis !== undefined) return millis;
  const after = headers?.get('retry-after');
  const asSeconds = seconds(after);
  if (asSeconds !== undefined) return asSeconds * 1_000;
  const date = Date.parse(after ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function seconds(text: string | null | undefined): number | undefined {
  const value = Number(text?.trim() || 'none');
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
