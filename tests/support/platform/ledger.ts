import { larger, type Figure, type Figures } from './rules.ts';

/** A broken rule, at the place where it was seen first. */
export interface Breach {
  readonly rule: Figure;
  /** The class and method, or the Workflow. */
  readonly kind: string;
  readonly where: string;
  readonly says: string;
  readonly times: number;
}

/** What the process has seen so far. */
export interface Seen {
  readonly invocations: number;
  /** Objects that were reset on request. */
  readonly resets: number;
  /** The largest figures of an invocation, by its kind. */
  readonly figures: Readonly<Record<string, Figures>>;
  readonly breaches: readonly Breach[];
}

/** What a printed breach begins with: it is on the standard error even if the process is killed. */
export const breachWords = 'platform rule broken:';

/** Where the Worker under the platform's rules says what it has seen. */
export const seenPath = '/__platform';
/** Where it is told to reset the object of a method's next call: `?at=ExplorationRun.commitStage`. */
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

/** Forgets everything: for the double's own tests, which break rules on purpose. */
export function forget(): void {
  invocations = 0;
  resets = 0;
  figures.clear();
  breaches.clear();
}
