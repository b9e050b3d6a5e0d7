/** A name whose value tells one thing of a server from all others, such as `basket_id` or `sessionId`. */
export interface HandleName {
  /** What the thing is, such as `basket`; empty if the name does not say, as in `id`. */
  readonly subject: string;
}

export interface Handle extends HandleName {
  readonly value: string;
}

const handleWords = new Set(['id', 'ids', 'uuid', 'uuids', 'guid', 'handle', 'handles', 'cursor', 'token', 'session']);

/** Returns the words of a name in any of the usual spellings, in lower case. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

const singular = (word: string): string => (word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word);

/** Returns what a name is a handle of; null if it does not name one. */
export function readHandleName(name: string): HandleName | null {
  const words = wordsOf(name);
  const last = words.pop();
  return last === undefined || !handleWords.has(last) ? null : { subject: words.map(singular).join(' ') };
}

/** Returns whether the name of a tool names a thing, as `create_basket` does `basket`. */
const isNamedIn = (subject: string, tool: string): boolean =>
  ` ${wordsOf(tool).map(singular).join(' ')} `.includes(` ${subject} `);

/**
 * Returns whether two names may stand for handles of the same kind of thing: they say the same, or neither says what the thing is, or
 * only one does, and the tool of the other has it in its name.
 */
export const areSameKind = (
  one: HandleName & { readonly tool: string },
  other: HandleName & { readonly tool: string },
): boolean => {
  if (one.subject === other.subject) return true;
  if (one.subject === '') return isNamedIn(other.subject, one.tool);
  return other.subject === '' && isNamedIn(one.subject, other.tool);
};

/** A name and a value after `:` or `=`, as in JSON, YAML, attributes and prose. Looks only a bounded distance ahead. */
const namedValue =
  /(?<![\w-])([A-Za-z][\w-]{0,60})["'`*\\]{0,4}\s{0,3}[:=]\s{0,3}["'`*\\]{0,4}(?=([^\s"'`,;{}[\]()<>*&\\]{1,200}))/g;

/** Values that are no handles, whatever their name. */
const emptyValue = /^(?:null|none|undefined|true|false|nil)$/i;

/** Returns the handles that a result's text shows under a name, in their order. */
export const listReturnedHandles = (text: string): Handle[] =>
  Array.from(text.matchAll(namedValue)).flatMap(([, name = '', raw = '']) => {
    const read = readHandleName(name);
    const value = raw.replace(/[.:]+$/, '');
    return read === null || value === '' || emptyValue.test(value) ? [] : [{ ...read, value }];
  });

/** Maximum number of handles that one call's arguments are read for. */
const mostHandles = 64;
const maxDepth = 12;

/** Returns the handles among a call's arguments. */
export function listPassedHandles(args: Readonly<Record<string, unknown>>): Handle[] {
  const found: Handle[] = [];
  const visit = (name: HandleName | null, value: unknown, depth: number): void => {
    if (found.length >= mostHandles || depth > maxDepth) return;
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value).trim();
      if (name !== null && text !== '') found.push({ ...name, value: text });
    } else if (Array.isArray(value)) for (const item of value) visit(name, item, depth + 1);
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) visit(readHandleName(key), item, depth + 1);
  };
  visit(null, args, 0);
  return found;
}
