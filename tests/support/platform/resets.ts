import { objectReset } from './ledger.ts';
import { isMethod, isObject } from './methods.ts';

/** Methods whose next call resets its object, each as "Class.method". */
const due = new Set<string>();

export function resetAt(method: string): void {
  due.add(method);
}

export const isResetDue = (method: string): boolean => due.has(method);

/**
 * Resets an object once a call of it is done, as the platform may for a deployment or for memory: the caller gets no answer, and all
 * other calls of it break off.
 */
export async function resetAfter(method: string, object: object, result: unknown): Promise<unknown> {
  const answer: unknown = await result;
  if (!due.delete(method)) return answer;
  const state: unknown = Reflect.get(object, 'ctx');
  const abort: unknown = isObject(state) ? Reflect.get(state, 'abort') : undefined;
  if (!isMethod(abort)) throw new Error(`${method} is no method of an object`);
  objectReset();
  Reflect.apply(abort, state, ['reset by the double of the platform']);
  return answer;
}
