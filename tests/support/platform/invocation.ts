import { AsyncLocalStorage } from 'node:async_hooks';
import { Connections } from './connections.ts';
import { begun, keepBreach, keepFigures } from './ledger.ts';
import { Count, rules, type Figure, type Rules } from './rules.ts';

/** The unit in which the platform counts. */
export interface Invocation {
  readonly kind: string;
  /** The called object; null for a request or a Workflow instance. */
  readonly target: object | null;
  readonly count: Count;
  readonly connections: Connections;
}

let inForce: Rules = rules;

/** Applies other limits from now on, for the simulation's own tests. */
export function limitTo(given: Partial<Rules>): void {
  inForce = { ...inForce, ...given };
}

const current = new AsyncLocalStorage<Invocation>();
/** An object has one I/O context for all requests to it, so these share its connections. */
const connectionsOfObjects = new WeakMap<object, Connections>();

export function newInvocation(kind: string, target: object | null = null): Invocation {
  begun();
  const shared = target === null ? undefined : connectionsOfObjects.get(target);
  const connections = shared ?? new Connections(inForce.waitingConnections);
  if (target !== null) connectionsOfObjects.set(target, connections);
  return { kind, target, count: new Count(inForce), connections };
}

export const currentInvocation = (): Invocation | undefined => current.getStore();

/** Does something as part of an invocation, even inside another one. */
export const within = <T>(invocation: Invocation, body: () => T): T => current.run(invocation, body);

/**
 * Adds an event to the current invocation, and records a broken rule at the first frame above `above`. Returns the
 * sentence of that rule, or null.
 */
export function take(figure: Figure, amount: number, above: object): string | null {
  const invocation = currentInvocation();
  if (invocation === undefined) return outside.has(figure) ? null : strayed(figure, above);
  const { kind, count } = invocation;
  const says = count.take(figure, amount);
  keepFigures(kind, count.figures);
  if (says !== null) keepBreach({ rule: figure, kind, says, where: frameAbove(above) });
  return says;
}

/** Constructors create tables, and a stream's source runs outside the call that created it; neither sends requests. */
const outside: ReadonlySet<Figure> = new Set<Figure>(['rowBytes', 'rowsRead', 'rowsWritten']);

/** Inside vitest the tests themselves call objects and servers; in a Worker everything happens in an invocation. */
let strayingIsAllowed = false;

export function allowStraying(): void {
  strayingIsAllowed = true;
}

function strayed(figure: Figure, above: object): null {
  if (!strayingIsAllowed) {
    const says = `unaccounted: ${figure} of no known invocation`;
    keepBreach({ rule: 'unaccounted', kind: 'none', says, where: frameAbove(above) });
  }
  return null;
}

function frameAbove(above: object): string {
  const holder: { stack?: string } = {};
  // Leaves out all frames up to this function.
  if (typeof above === 'function') Error.captureStackTrace(holder, above);
  const frames = holder.stack?.split('\n').slice(1) ?? [];
  // Line numbers of a bundle say little, so the first named function is more useful.
  return (frames.find((frame) => / at \S+ \(/.test(frame)) ?? frames[0] ?? 'somewhere').trim();
}
