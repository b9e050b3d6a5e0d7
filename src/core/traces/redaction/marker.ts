import type { Span } from '#core/values/json-schema/pattern.ts';

/** What a redacted value is replaced by. */
export const redacted = '[redacted]';

const markers = /\[(?:redacted|hidden)\]/g;

/** Returns whether a text is nothing but a marker. */
export const isMarker = (text: string): boolean => /^\[(?:redacted|hidden)\]$/.test(text);

/** Returns whether something in a JSON value was replaced, so that its type or form may be another than it was. */
export const holdsRedactedValue = (value: unknown): boolean => (JSON.stringify(value) ?? '').search(markers) >= 0;

/**
 * Replaces parts of a text. A marker that is in the text already becomes one with a part that overlaps it, so doing it again changes
 * nothing.
 */
export function redactSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const present = [...text.matchAll(markers)].map(({ index, 0: marker }) => ({
    start: index,
    end: index + marker.length,
  }));
  let kept = '';
  let at = 0;
  for (const { start, end } of mergeOverlapping([...spans, ...present])) {
    const part = text.slice(start, end);
    kept += text.slice(at, start) + (isMarker(part) ? part : redacted);
    at = end;
  }
  return kept + text.slice(at);
}

function mergeOverlapping(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return merged;
}
