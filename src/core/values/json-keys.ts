/** Matches strings and structural characters; everything between them is irrelevant here. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Returns a duplicate key in an object of a JSON text, or null. The text must be valid JSON. */
export function findDuplicateKey(json: string): string | null {
  /** The keys of the open objects, null for a list. */
  const open: (Set<string> | null)[] = [];
  let text: string | null = null;
  for (const [token] of json.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':' && text !== null) {
      // A character can be escaped in several ways; what counts is the key that a reader gets.
      const key = String(JSON.parse(text));
      const keys = open.at(-1);
      if (keys?.has(key) === true) return key;
      keys?.add(key);
    }
    text = token.startsWith('"') ? token : null;
  }
  return null;
}
