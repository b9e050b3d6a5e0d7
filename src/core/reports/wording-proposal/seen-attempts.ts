import type { ObservedCall } from '../tool-report/observed-attempt.ts';

/** Attempts that a model sees of each tool, at most. */
const mostPerTool = 2;
/** Calls of an attempt that a model sees, at most. */
const mostCalls = 8;

/** A call with the beginning of its arguments as JSON; null where they are deleted. */
export interface SeenCall extends Pick<ObservedCall, 'tool' | 'outcome' | 'text'> {
  readonly arguments: string | null;
}

/** An attempt at a unit that a wording is written from. */
export interface SeenAttempt {
  readonly unit: string;
  /** The request of the unit, by its name. */
  readonly side: string;
  readonly expected: readonly string[];
  readonly calls: readonly SeenCall[];
}

/** Collects attempts that show what agents have trouble with at some tools: a few for each, from different requests. */
export class TroubleExamples {
  readonly #open: Map<string, number>;
  readonly #found = new Map<string, SeenAttempt>();

  constructor(tools: readonly string[]) {
    this.#open = new Map(tools.map((tool) => [tool, mostPerTool]));
  }

  /** Whether there is nothing more to look for. */
  get isComplete(): boolean {
    return this.#open.size === 0;
  }

  get attempts(): readonly SeenAttempt[] {
    return [...this.#found.values()];
  }

  add(attempt: SeenAttempt): void {
    const request = `${attempt.unit} ${attempt.side}`;
    if (this.#found.has(request)) return;
    const shown = [...this.#open.keys()].filter((tool) => showsTrouble(attempt, tool));
    if (shown.length === 0) return;
    this.#found.set(request, { ...attempt, calls: attempt.calls.slice(0, mostCalls) });
    for (const tool of shown) {
      const left = (this.#open.get(tool) ?? 0) - 1;
      if (left > 0) this.#open.set(tool, left);
      else this.#open.delete(tool);
    }
  }
}

/** Returns whether an attempt should have called a tool and did not, called it unexpectedly, or called it and failed. */
function showsTrouble({ expected, calls }: SeenAttempt, tool: string): boolean {
  const own = calls.filter((call) => call.tool === tool);
  return own.length > 0 !== expected.includes(tool) || own.some(({ outcome }) => outcome === 'failure');
}
