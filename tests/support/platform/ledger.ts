import { larger, type Figure, type Figures } from './rules.ts';

/** A broken rule, with the place where it was first seen. */
export interface Breach {
  readonly rule: Figure;
  /** The class and method, or the Workflow. */
  readonly kind: string;
  readonly where: string;
  readonly says: string;
  readonly times: number;
}

/** Everything that the process has recorded so far. */
export interface Seen {
  readonly invocations: number;
  /** Objects that were reset on request. */
  readonly resets: number;
  /** The largest figures of an invocation, by its kind. */
  readonly figures: Readonly<Record<string, Figures>>;
  readonly breaches: readonly Breach[];
}

/** The prefix of a printed breach, which is on standard error even if the process is killed. */
export const breachWords = 'platform rule broken:';

/** Path of a Worker's record under the platform's rules. */
export const seenPath = '/__platform';
/** Path for resetting the object of a method's next call: `?at=ExplorationRun.rounds.commitStage`. */
export const resetPath = '/__platform/reset';

let invocations = 0;
let resets = 0;
const figures = new Map<string, Figures>();
const breaches = new Map<string, Breach>();

export function begun(): void {
  invocations += 1;
}

export function objectReset(): void {
  resets += 1;
}

export function keepFigures(kind: string, count: Figures): void {
  figures.set(kind, larger(figures.get(kind) ?? {}, count));
}

export function keepBreach(breach: Omit<Breach, 'times'>): void {
  const key = [breach.rule, breach.kind, breach.where].join('\n');
  const known = breaches.get(key);
  breaches.set(key, { ...breach, times: (known?.times ?? 0) + 1 });
  if (known === undefined) console.error(`${breachWords} ${breach.says}, in ${breach.kind}, ${breach.where}`);
}

export function seen(): Seen {
  return { invocations, resets, figures: Object.fromEntries(figures), breaches: [...breaches.values()] };
}

/** Clears the record, for the simulation's own tests, which break rules on purpose. */
export function forget(): void {
  invocations = 0;
  resets = 0;
  figures.clear();
  breaches.clear();
}
