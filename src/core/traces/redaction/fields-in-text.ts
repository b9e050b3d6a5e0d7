import type { Span } from '#core/values/json-schema/pattern.ts';
import type { Fields } from '#core/catalog/redaction/fields.ts';

/** The name of a property in quotes, and the colon after it; JSON within other text, JSON that is cut off, and Python's dictionaries. */
const quotedName = /(["'])((?:(?!\1)[^\\\n]|\\.){1,200})\1\s{0,20}:\s{0,20}/g;
const nothing = /(?:null|None|nil|undefined)(?!\w)/y;
const bareValue = /[^\s,;}\])]*/y;

/**
 * Returns the values of named properties in a text that is not JSON as a whole, such as a log line with an object in it. A value
 * whose end is missing reaches to the end of the text.
 */
export function findSpansOfFieldValues(text: string, fields: Fields): Span[] {
  const found: Span[] = [];
  quotedName.lastIndex = 0;
  for (let match = quotedName.exec(text); match !== null; match = quotedName.exec(text)) {
    const [whole, , name = ''] = match;
    if (!fields.isNameRedactedAtAnyPath(name) && !fields.isNameRedactedAtAnyPath(unescapeName(name))) continue;
    const start = match.index + whole.length;
    const end = findEndOfValue(text, start);
    if (end === start) continue;
    // The quotes stay.
    const isQuoted = /^["']/.test(text.slice(start, start + 1)) && text[start] === text[end - 1] && end - start > 1;
    if (!(isQuoted && end - start === 2)) found.push(isQuoted ? { start: start + 1, end: end - 1 } : { start, end });
    quotedName.lastIndex = end;
  }
  return found;
}

function unescapeName(name: string): string {
  try {
    return String(JSON.parse(`"${name}"`));
  } catch {
    return name;
  }
}

function findEndOfValue(text: string, start: number): number {
  const first = text[start] ?? '';
  if (first === '"' || first === "'") return findEndOfQuoted(text, start);
  if (first === '{' || first === '[') return findEndOfNested(text, start);
  nothing.lastIndex = start;
  if (nothing.test(text)) return start;
  bareValue.lastIndex = start;
  return start + (bareValue.exec(text)?.[0].length ?? 0);
}

function findEndOfQuoted(text: string, start: number): number {
  const quote = text[start];
  let end = start + 1;
  while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1;
  return Math.min(end + 1, text.length);
}

function findEndOfNested(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === '"' || character === "'") {
      at = findEndOfQuoted(text, at);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return text.length;
}
