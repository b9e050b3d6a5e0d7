import { newInvocation, take, within, type Invocation } from './invocation.ts';
import { messageBytes } from './message-bytes.ts';
import { isMethod, isObject, replaceMethod, type Method } from './methods.ts';

/** The instances of this process: an instance that the engine runs again continues its counts. */
const instances = new Map<string, Invocation>();
/** Steps by name: a replayed or retried step is the same one. */
const steps = new WeakMap<Invocation, Set<unknown>>();

/** Counts each instance of a Workflow, over all of its steps. */
export function watchWorkflow(name: string, prototype: object): void {
  replaceMethod(
    prototype,
    'run',
    (original) =>
      function watched(...args) {
        const [event, step] = args;
        if (!isObject(step)) throw new Error('a Workflow is run with its steps');
        const id = `${name} ${instanceOf(event)}`;
        const invocation = instances.get(id) ?? newInvocation(name);
        instances.set(id, invocation);
        return within(invocation, () => Reflect.apply(original, this, [event, watchedSteps(step, invocation)]));
      },
  );
}

const instanceOf = (event: unknown): string =>
  typeof event === 'object' && event !== null && 'instanceId' in event ? String(event.instanceId) : '';

function watchedSteps(step: object, invocation: Invocation): object {
  const known = steps.get(invocation) ?? new Set<unknown>();
  steps.set(invocation, known);
  return new Proxy(step, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === 'waitForEvent' && isMethod(value))
        return function wait(...args: unknown[]) {
          countStep(args[0], wait);
          return Reflect.apply(value, target, args);
        };
      if (name !== 'do' || !isMethod(value)) return value;
      return function doStep(...args: unknown[]) {
        countStep(args[0], doStep);
        return Reflect.apply(
          value,
          target,
          args.map((each) => (isMethod(each) ? inInvocation(each, doStep) : each)),
        );
      };
    },
  });

  function countStep(name: unknown, above: object): void {
    if (known.has(name)) return;
    known.add(name);
    const says = within(invocation, () => take('steps', 1, above));
    if (says !== null) throw new Error(says);
  }

  /** The engine calls back from elsewhere; without this nothing that a step does would be counted. */
  function inInvocation(work: Method, above: object): Method {
    return (...args) =>
      within(invocation, async () => {
        const result = await Reflect.apply(work, null, args);
        const says = take('stepResultBytes', messageBytes(result), above);
        if (says !== null) throw new Error(says);
        return result;
      });
  }
}
