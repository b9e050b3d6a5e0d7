/** Characters of a provider's words that are shown. */
const quotedChars = 300;

/** What looks like a key, or like the name of somebody's account, whole or masked. */
const secrets: readonly RegExp[] = [
  /\bBearer\s+\S+/gi,
  /\b(?:sk|pk|rk|gsk|xai|key|AIza|org|proj|user|acct)[-_][\w*.-]{6,}/g,
  /\bAIza[\w-]{10,}/g,
  /([?&](?:key|api[-_]?key|token|sig|signature)=)[^&\s"']+/gi,
  // A run of letters and digits that is too long for a word, a version or the name of a model.
  /\b(?=[\w+/-]*\d)(?=[\w+/-]*[A-Za-z])[\w+/]{32,}={0,2}/g,
  /\S*\*{3,}\S*/g,
];

/**
 * Returns what a provider wrote, as one line of at most 300 characters, without the key and without what looks like a key or
 * an account. Null if it wrote nothing.
 */
export function providerWordsWithoutSecretsOrNull(words: string | undefined, apiKey: string): string | null {
  const known = apiKey.length < 6 ? (words ?? '') : (words ?? '').replaceAll(apiKey, hidden);
  const plain = secrets.reduce((text, secret) => text.replace(secret, hideSecretInMatch), known);
  const line = plain.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  if (line === '') return null;
  return line.length <= quotedChars ? line : `${line.slice(0, quotedChars).toWellFormed()}...`;
}

const hidden = '[hidden]';

/** Keeps the name of a field in an address. */
const hideSecretInMatch = (_: string, field: unknown): string =>
  typeof field === 'string' ? `${field}${hidden}` : hidden;
