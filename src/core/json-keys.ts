/** Strings and the marks that open, close and part; what is between them does not matter here. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** A key that an object of a JSON text has twice; null where each has each once. The text has been found to be JSON. */
export function doubleKey(json: string): string | null {
  /** The keys of the objects that are open, null for a list. */
  const open: (Set<string> | null)[] = [];
  let text: string | null = null;
  for (const [token] of json.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':' && text !== null) {
      // A character may be written in several ways: what counts is the key that a reader gets.
      const key = String(JSON.parse(text));
      const keys = open.at(-1);
      if (keys?.has(key) === true) return key;
      keys?.add(key);
    }
    text = token.startsWith('"') ? token : null;
  }
  return null;
}
