import canonicalize from 'canonicalize';

/**
 * Canonical JSON (RFC 8785): the same value gives the same text, whatever the order of its keys. Halves of surrogate pairs, which stand in no
 * UTF-8 text and which the RFC refuses, count as U+FFFD: servers and models that cut a text in the middle of one do send them.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(mayHaveHalves(value) ? JSON.parse(JSON.stringify(value, wellFormed)) : value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}

/** They are what JSON escapes of all above ASCII; a text may have the escape itself in it. */
const mayHaveHalves = (value: unknown): boolean => /\\ud[89a-f]/.test(JSON.stringify(value) ?? '');

function wellFormed(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), each]));
}

/** SHA-256 of bytes or of a text in UTF-8, as 64 hex digits in lower case. */
export async function sha256Hex(content: string | Uint8Array): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
