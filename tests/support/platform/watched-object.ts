import { RpcTarget } from 'cloudflare:workers';
import { currentInvocation, newInvocation, take, within, type Invocation } from './invocation.ts';
import { messageBytes } from './message-bytes.ts';
import { isObject, methodsOf, ownInheritedMethods, replaceMethod } from './methods.ts';
import { addPassingMethod } from './parts.ts';
import { isResetDue, resetAfter } from './resets.ts';

/** The object to which something belongs, itself or a part of it, and what its calls are counted as. */
interface Owner {
  readonly object: object;
  readonly name: string;
}

const ownersOfParts = new WeakMap<object, Owner>();
const watchedParts = new WeakSet<object>();

/** Counts each call of an object of this class and of its parts, by RPC, request or alarm. */
export function watchObject(name: string, prototype: object): void {
  ownInheritedMethods(prototype);
  watchMethods(prototype, (object) => ({ object, name }));
  watchParts(name, prototype);
  addPassingMethod(prototype);
}

function watchMethods(prototype: object, ownerOf: (target: object) => Owner | undefined): void {
  for (const method of methodsOf(prototype)) {
    replaceMethod(
      prototype,
      method,
      (original) =>
        function (...args) {
          const call = (): unknown => Reflect.apply(original, this, args);
          const owner = isObject(this) ? ownerOf(this) : undefined;
          // A method that another one of the same object calls is part of that call.
          if (owner === undefined || currentInvocation()?.target === owner.object) return call();
          watchStorageOf(owner.object);
          const kind = `${owner.name}.${method}`;
          const invocation = newInvocation(kind, owner.object);
          const result = settled(within(invocation, call), invocation);
          return isResetDue(kind) ? resetAfter(kind, owner.object, result) : result;
        },
    );
  }
}

/** Parts are what the getters of a class return, if it can be called. */
function watchParts(name: string, prototype: object): void {
  for (const [part, { get: original, ...descriptor }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (original === undefined) continue;
    Object.defineProperty(prototype, part, {
      ...descriptor,
      get(this: object): unknown {
        const found: unknown = Reflect.apply(original, this, []);
        if (found instanceof RpcTarget) watchPart(found, { object: this, name: `${name}.${part}` });
        return found;
      },
    });
  }
}

function watchPart(part: RpcTarget, owner: Owner): void {
  ownersOfParts.set(part, owner);
  const prototype: unknown = Object.getPrototypeOf(part);
  if (!isObject(prototype) || watchedParts.has(prototype)) return;
  watchedParts.add(prototype);
  watchMethods(prototype, (target) => ownersOfParts.get(target));
}

/** Statements of an invocation whose rows are not counted yet, because rows are read as the cursor moves. */
const cursors = new WeakMap<Invocation, Cursor[]>();

interface Cursor {
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

const isCursor = (value: unknown): value is Cursor =>
  typeof value === 'object' && value !== null && 'rowsRead' in value && 'rowsWritten' in value;

/** Counts the rows once there is a result; rows that a stream reads later count with the next statement. */
function settled(result: unknown, invocation: Invocation): unknown {
  const settle = (): void => within(invocation, () => countRows(invocation));
  if (!(result instanceof Promise)) {
    settle();
    return result;
  }
  void result.then(settle, settle);
  return result;
}

function countRows(invocation: Invocation): void {
  for (const { rowsRead, rowsWritten } of cursors.get(invocation) ?? []) {
    take('rowsRead', rowsRead, countRows);
    take('rowsWritten', rowsWritten, countRows);
  }
  cursors.delete(invocation);
}

const watchedStorages = new WeakSet<object>();

/** All objects share the prototype of their storage, which can be reached only through an object. */
function watchStorageOf(object: object): void {
  const sql = ['ctx', 'storage', 'sql'].reduce<unknown>(
    (from, name) => (typeof from === 'object' && from !== null ? Reflect.get(from, name) : null),
    object,
  );
  const prototype: unknown = typeof sql === 'object' && sql !== null ? Object.getPrototypeOf(sql) : null;
  if (typeof prototype !== 'object' || prototype === null || watchedStorages.has(prototype)) return;
  watchedStorages.add(prototype);
  replaceMethod(
    prototype,
    'exec',
    (original) =>
      function watched(...args) {
        const [, ...bindings] = args;
        const invocation = currentInvocation();
        const tooLong = take('rowBytes', messageBytes(bindings), watched);
        if (tooLong !== null) throw new Error(tooLong);
        const cursor = Reflect.apply(original, this, args);
        if (invocation !== undefined && isCursor(cursor)) {
          cursors.set(invocation, [...(cursors.get(invocation) ?? []), cursor]);
        }
        return cursor;
      },
  );
}
