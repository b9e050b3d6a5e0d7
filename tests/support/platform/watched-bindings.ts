import { currentInvocation, take } from './invocation.ts';
import { messageBytes } from './message-bytes.ts';
import { isObject, methodsOf, replaceMethod } from './methods.ts';
import { tooMany } from './watched-fetch.ts';
import { watchedStub } from './watched-stub.ts';

/** Lets all Durable Object namespaces and Workflows of an environment count their calls. */
export function watchBindings(env: object): void {
  const prototypes = new Set(
    Object.values(env).flatMap((binding: unknown) =>
      typeof binding === 'object' && binding !== null ? [prototypeOf(binding)] : [],
    ),
  );
  for (const prototype of prototypes) {
    if (prototype === null) continue;
    const methods = methodsOf(prototype);
    if (methods.includes('getByName')) watchNamespaces(prototype);
    if (methods.includes('createBatch')) watchWorkflows(prototype);
  }
}

function prototypeOf(binding: object): object | null {
  const prototype: unknown = Object.getPrototypeOf(binding);
  return typeof prototype === 'object' ? prototype : null;
}

function watchNamespaces(prototype: object): void {
  for (const name of ['getByName', 'get']) {
    replaceMethod(
      prototype,
      name,
      (original) =>
        function (...args) {
          const stub = Reflect.apply(original, this, args);
          // Calls of a test itself are not counted; it may pass the stub to tools that need the real one.
          if (currentInvocation() === undefined) return stub;
          if (!isObject(stub)) throw new Error('a namespace gives stubs');
          return watchedStub(stub);
        },
    );
  }
}

function watchWorkflows(prototype: object): void {
  for (const name of ['create', 'createBatch', 'get']) {
    replaceMethod(
      prototype,
      name,
      (original) =>
        async function watched(...args) {
          if (take('subrequests', 1, watched) !== null) throw new Error(tooMany);
          const [asked] = args;
          const instances: unknown[] = Array.isArray(asked) ? asked : [asked];
          const refused = [
            take('instancesAtOnce', instances.length, watched),
            ...instances.map((each) => take('payloadBytes', messageBytes(each), watched)),
          ].find((says) => says !== null);
          if (refused !== undefined) throw new Error(refused);
          return Reflect.apply(original, this, args);
        },
    );
  }
}
