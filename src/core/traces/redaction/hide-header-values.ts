/** Replaces a secret. */
const hidden = '[hidden]';

/** Values this short are hidden only as whole words: a header `1` must not change every number. */
const shortChars = 4;

/**
 * Removes the values of a server's headers from a text that the server sent: whole, without a scheme such as `Bearer`,
 * and as they are in JSON and in URLs.
 */
export function hideHeaderValuesInText(text: string, headers: Readonly<Record<string, string>>): string {
  const values = Object.values(headers).flatMap((value) => [value, value.replace(/^\S+\s+/, '')]);
  const forms = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
  const longestFirst = [...new Set(forms)].filter((form) => form !== '').toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce(hideOneFormOfHeaderValue, text);
}

function hideOneFormOfHeaderValue(text: string, form: string): string {
  if (form.length >= shortChars) return text.replaceAll(form, hidden);
  const literal = form.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  return text.replace(new RegExp(String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])`, 'gu'), hidden);
}
