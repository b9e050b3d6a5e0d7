import { take } from './invocation.ts';
import { messageBytes } from './message-bytes.ts';
import { isMethod, type Method } from './methods.ts';
import { callableWithMethods, methodOfPart } from './parts.ts';
import { tooMany } from './watched-fetch.ts';

/** The properties of a stub besides the methods of its object. */
const own = new Set<string | symbol>(['then', 'constructor', 'dup']);

/**
 * A stub that counts its calls and measures their messages. After one has thrown, every later one throws the same
 * error, as a real stub of a reset object may.
 */
export function watchedStub<T extends object>(stub: T): T {
  let broken: { readonly error: unknown } | null = null;

  async function call(method: Method, args: unknown[], above: object): Promise<unknown> {
    if (take('subrequests', 1, above) !== null) throw new Error(tooMany);
    if (broken !== null) {
      take('stubsReused', 1, above);
      throw broken.error;
    }
    const tooLong = take('messageBytes', messageBytes(args), above);
    if (tooLong !== null) throw new Error(tooLong);
    try {
      const result: unknown = await Reflect.apply(method, stub, args);
      const answerTooLong = take('messageBytes', messageBytes(result), above);
      if (answerTooLong !== null) throw new Error(answerTooLong);
      return result;
    } catch (error) {
      broken ??= { error };
      throw error;
    }
  }

  return new Proxy(stub, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol' || own.has(name) || !isMethod(value)) return value;
      const watched = (method: Method): Method =>
        function watchedCall(...args) {
          return call(method, args, watchedCall);
        };
      return callableWithMethods(watched(value), (method) =>
        method === 'then' ? undefined : watched(methodOfPart(stub, name, method)),
      );
    },
  });
}
