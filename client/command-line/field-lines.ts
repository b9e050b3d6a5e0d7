import { makePrintableLine } from './text.ts';

/** Formats named values as lines, the values below each other; leaves out those that are null. */
export function fieldLines(fields: readonly (readonly [string, string | null])[]): string[] {
  const shown = fields.filter(([, value]) => value !== null);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${makePrintableLine(value ?? '')}`);
}
