import { isMethod, isObject, type Method } from './methods.ts';

/** Calls of an object's parts, as `run.labels.add(...)`. */

/** A method that every watched object has: it passes a call on to a part. */
const passOn = 'callOfPart';

let throughObject = false;

/** The objects of vitest pass on calls of their methods alone, so a call of a part goes through a method of the object there. */
export function callPartsThroughObjects(): void {
  throughObject = true;
}

/** Gives a class of objects the method through which its parts are called. */
export function addPassingMethod(prototype: object): void {
  Object.defineProperty(prototype, passOn, {
    value(this: object, part: string, name: string, args: unknown[]): unknown {
      const owned: unknown = Reflect.get(this, part);
      const method: unknown = isObject(owned) ? Reflect.get(owned, name) : undefined;
      if (!isMethod(method)) throw new TypeError(`The RPC receiver does not implement the method "${name}".`);
      return Reflect.apply(method, owned, args);
    },
  });
}

/** Returns the method of a part of a stub's object. */
export function methodOfPart(stub: object, part: string, name: string): Method {
  const from: unknown = Reflect.get(stub, throughObject ? passOn : part);
  if (throughObject && isMethod(from)) return (...args) => Reflect.apply(from, stub, [part, name, args]);
  const method: unknown = isObject(from) ? Reflect.get(from, name) : undefined;
  if (!isMethod(method)) throw new Error('a part of a stub has methods');
  return method;
}

/** Returns a stub through which a test can call parts, too. The tools of vitest need the stub itself. */
export function stubWithParts<T extends object>(stub: T): T {
  return new Proxy(stub, {
    get(target, part) {
      const value: unknown = Reflect.get(target, part);
      if (typeof part === 'symbol' || part === 'constructor' || !isMethod(value)) return value;
      return callableWithMethods(
        (...args) => Reflect.apply(value, target, args),
        (name) => (name === 'then' ? Reflect.get(value, name) : methodOfPart(target, part, name)),
      );
    },
  });
}

/** A method that may be a part instead, and so has methods itself. */
export const callableWithMethods = (call: Method, methodOf: (name: string) => unknown): Method =>
  new Proxy(call, {
    get: (target, name) => (typeof name === 'symbol' ? Reflect.get(target, name) : methodOf(name)),
  });
