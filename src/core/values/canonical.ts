import canonicalize from 'canonicalize';

/**
 * Returns canonical JSON (RFC 8785): the same value gives the same text in any order of keys. Lone surrogates (invalid
 * in UTF-8, rejected by RFC 8785) become U+FFFD; servers and models that truncate text do send them.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(
    mayHaveLoneSurrogates(value) ? JSON.parse(JSON.stringify(value, jsonReplacerForLoneSurrogates)) : value,
  );
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}

/** JSON escapes only these above ASCII; a text may contain the escape itself. */
const mayHaveLoneSurrogates = (value: unknown): boolean => /\\ud[89a-f]/.test(JSON.stringify(value) ?? '');

function jsonReplacerForLoneSurrogates(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), each]));
}

/** Returns the SHA-256 of bytes, or of a text in UTF-8, as 64 lower-case hex digits. */
export async function sha256Hex(content: string | Uint8Array): Promise<string> {
  // Copied, because memory that is shared, which the type allows, cannot be hashed everywhere.
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
