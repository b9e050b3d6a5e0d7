/** A method of an unknown class. */
export type Method = (this: unknown, ...args: unknown[]) => unknown;

export const isMethod = (value: unknown): value is Method => typeof value === 'function';

/** Returns whether something has properties; a stub is a function, too. */
export const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Replaces a method for all objects with this prototype. */
export function replaceMethod(prototype: object, name: string, replace: (original: Method) => Method): void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  const original: unknown = descriptor?.value;
  if (!isMethod(original)) throw new Error(`there is no method ${name}`);
  Object.defineProperty(prototype, name, { ...descriptor, value: replace(original) });
}

/** The names of a prototype's methods. */
export function methodsOf(prototype: object): string[] {
  const named = Object.entries(Object.getOwnPropertyDescriptors(prototype));
  return named.flatMap(([name, { value }]) => (name !== 'constructor' && isMethod(value) ? [name] : []));
}

/**
 * Gives a prototype the methods that it inherits as its own, so that they can be replaced for its objects alone. The last class of
 * the chain is the platform's: its methods stay where they are.
 */
export function ownInheritedMethods(prototype: object): void {
  for (let from = parentOf(prototype); from !== null && parentOf(from) !== null; from = parentOf(from))
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(from)))
      if (name !== 'constructor' && isMethod(descriptor.value) && !Object.hasOwn(prototype, name))
        Object.defineProperty(prototype, name, descriptor);
}

/** Returns the prototype of a prototype; null where that is the one of all objects. */
function parentOf(prototype: object): object | null {
  const parent: unknown = Object.getPrototypeOf(prototype);
  return parent === Object.prototype || !isObject(parent) ? null : parent;
}
