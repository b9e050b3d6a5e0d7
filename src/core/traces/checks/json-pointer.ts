/** Returns whether a text is a JSON Pointer (RFC 6901): empty, or steps that each begin with a slash. */
export const isJsonPointer = (text: string): boolean => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);

/** The value at a place, which may be undefined in no JSON, so that it needs a box. */
export type Found = { readonly value: unknown } | undefined;

/** Returns the value that a JSON Pointer names; undefined if the document has nothing there. */
export function findBoxedValueAtPointer(document: unknown, pointer: string): Found {
  let value = document;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) {
      if (!/^(?:0|[1-9]\d*)$/.test(key) || Number(key) >= value.length) return undefined;
      value = value[Number(key)];
    } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, key)) {
      value = Object.entries(value).find(([name]) => name === key)?.[1];
    } else return undefined;
  }
  return { value };
}
