/**
 * The platform's limits that workerd on a developer's machine does not enforce. Each is a figure of one invocation: a
 * request, an alarm, a call of an object, or a Workflow instance over all of its steps.
 */
export const rules = {
  /** Workers, "Subrequests": `fetch` and calls of bindings; `limits.subrequests` of wrangler.toml, 10,000 without it. */
  subrequests: 10_000,
  /** Workers, "Simultaneous open connections": six may wait for response headers, others queue behind them. */
  waitingConnections: 6,
  /** Durable Objects, "Error handling": a stub that threw may stay broken and is not to be used again. */
  stubsReused: 0,
  /** Workers RPC: arguments or result of one call, serialized: 32 MiB. */
  messageBytes: 32 * 2 ** 20,
  /** Durable Objects, "SQL storage limits": a string, a BLOB or a row: 2 MB. */
  rowBytes: 2_000_000,
  /** Workflows, "Maximum steps per Workflow": 10,000 by default; sleeps do not count. */
  steps: 10_000,
  /** Workflows, "Maximum persisted state per step": 1 MiB. */
  stepResultBytes: 2 ** 20,
  /** Workflows, "Maximum event payload size": 1 MiB. */
  payloadBytes: 2 ** 20,
  /** Workflows, `createBatch`: 100 instances. */
  instancesAtOnce: 100,
  /** Rows cost money and time, but have no limit. */
  rowsRead: Infinity,
  rowsWritten: Infinity,
  /** A rule of the simulation itself: a request without a known invocation would not be counted. */
  unaccounted: 0,
} as const satisfies Readonly<Record<string, number>>;

export type Figure = keyof typeof rules;
export type Rules = Readonly<Record<Figure, number>>;
export type Figures = { readonly [figure in Figure]?: number };

/** Figures that grow with each event of an invocation; for others the largest counts. */
const added: ReadonlySet<Figure> = new Set<Figure>([
  'subrequests',
  'stubsReused',
  'steps',
  'rowsRead',
  'rowsWritten',
  'unaccounted',
]);

/** The figures of one invocation. */
export class Count {
  readonly #rules: Rules;
  readonly #figures: { [figure in Figure]?: number } = {};

  constructor(given: Rules) {
    this.#rules = given;
  }

  get figures(): Figures {
    return this.#figures;
  }

  /** Adds an event; returns the sentence of the rule that it breaks, or null. */
  take(figure: Figure, amount: number): string | null {
    const before = this.#figures[figure] ?? 0;
    const now = added.has(figure) ? before + amount : Math.max(before, amount);
    this.#figures[figure] = now;
    const held = added.has(figure) ? now : amount;
    const most = this.#rules[figure];
    return held > most ? `${figure}: ${held}, at most ${most} allowed` : null;
  }
}

/** The larger of each figure. */
export function larger(a: Figures, b: Figures): Figures {
  const all: { [figure in Figure]?: number } = { ...a };
  for (const figure of figuresOf(b)) all[figure] = Math.max(all[figure] ?? 0, b[figure] ?? 0);
  return all;
}

const isFigure = (name: string): name is Figure => Object.hasOwn(rules, name);
const figuresOf = (figures: Figures): Figure[] => Object.keys(figures).filter(isFigure);
