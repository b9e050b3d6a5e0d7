import { currentInvocation, newInvocation, take, within, type Invocation } from './invocation.ts';
import { messageBytes } from './message-bytes.ts';
import { methodsOf, ownInheritedMethods, replaceMethod } from './methods.ts';
import { isResetDue, resetAfter } from './resets.ts';

/** Counts each call of an object of this class, by RPC, request or alarm. */
export function watchObject(name: string, prototype: object): void {
  ownInheritedMethods(prototype);
  for (const method of methodsOf(prototype)) {
    replaceMethod(
      prototype,
      method,
      (original) =>
        function (...args) {
          const call = (): unknown => Reflect.apply(original, this, args);
          // A method that another one of the same object calls is part of that call.
          if (typeof this !== 'object' || this === null || currentInvocation()?.target === this) return call();
          watchStorageOf(this);
          const kind = `${name}.${method}`;
          const invocation = newInvocation(kind, this);
          const result = settled(within(invocation, call), invocation);
          return isResetDue(kind) ? resetAfter(kind, this, result) : result;
        },
    );
  }
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
