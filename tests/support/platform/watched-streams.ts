import { currentInvocation, within, type Invocation } from './invocation.ts';
import { isMethod, isObject } from './methods.ts';

/**
 * Counts what a stream's source does for the invocation that created the stream, because the runtime calls it without
 * one.
 */
export function watchStreams(): void {
  const watched = new Proxy(ReadableStream, {
    construct(target, [source, ...rest]: unknown[], newTarget) {
      const invocation = currentInvocation();
      const bound = invocation !== undefined && isObject(source) ? boundSource(source, invocation) : source;
      const made: unknown = Reflect.construct(target, [bound, ...rest], newTarget);
      if (!isObject(made)) throw new Error('a constructor makes an object');
      return made;
    },
  });
  Object.defineProperty(globalThis, 'ReadableStream', { value: watched, configurable: true, writable: true });
}

function boundSource(source: object, invocation: Invocation): object {
  const methods = ['start', 'pull', 'cancel'].flatMap((name) => {
    const method: unknown = Reflect.get(source, name);
    if (!isMethod(method)) return [];
    const bound = (...args: unknown[]): unknown => within(invocation, () => Reflect.apply(method, source, args));
    return [[name, bound] as const];
  });
  return { ...source, ...Object.fromEntries(methods) };
}
