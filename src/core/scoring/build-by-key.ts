/** Builds a value for each of the keys. */
export function buildByKey<Key extends string, T>(keys: readonly Key[], build: (key: Key) => T): Record<Key, T> {
  const made: Partial<Record<Key, T>> = {};
  for (const key of keys) made[key] = build(key);
  if (!hasAllKeys(made, keys)) throw new Error('a key is missing');
  return made;
}

const hasAllKeys = <Key extends string, T>(
  made: Partial<Record<Key, T>>,
  keys: readonly Key[],
): made is Record<Key, T> => keys.every((key) => Object.hasOwn(made, key));
