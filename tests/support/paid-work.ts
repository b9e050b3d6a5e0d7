import type { AskedOfStub } from '../../bench/stubs/stub-models.ts';
import type { Kill } from './kills.ts';

/** How long before a kill an interrupted stage can have started: a stage and its commit. */
const stageMs = 4_000;
/** How late a request that was sent before a kill can be read here. A restart takes longer. */
const lateMs = 500;
/** How long after the restart work of an old driver and its successor can still start, because both start slowly. */
const takeoverMs = 3_000;

interface Begun {
  readonly atMs: number;
  readonly tokens: number;
}

/** A piece of work, and each time that it was started. */
export interface Paid {
  readonly form: string;
  readonly begun: Begun[];
}

/** Records the requests to models, to find out what was paid for twice: a model's seed identifies one piece of work. */
export class PaidWork {
  readonly #pieces = new Map<string, Paid>();

  /** Work starts with its first request; later turns of an agent belong to it. */
  readonly note = ({ model, seed, messages, response_format }: AskedOfStub, tokens: number): void => {
    if (messages.some(({ role }) => role === 'tool')) return;
    this.#add(`${model} ${seed}`, response_format?.json_schema.name ?? 'turn', tokens);
  };

  /** Vectors have no seed, so their texts identify them. */
  readonly noteEmbedding = (texts: readonly string[]): void => this.#add(texts.join('\n'), 'vectors', 0);

  of(form: string): Paid[] {
    return [...this.#pieces.values()].filter((piece) => piece.form === form);
  }

  /** Returns repeated starts of work, by what interrupted the earlier one. */
  repeats(kills: readonly Kill[]): Record<'byKill' | 'bySuccessor' | 'byNothing', string[]> {
    const found: ReturnType<PaidWork['repeats']> = { byKill: [], bySuccessor: [], byNothing: [] };
    for (const [key, { form, begun }] of this.#pieces) {
      for (const [index, { atMs }] of begun.entries()) {
        const next = begun[index + 1]?.atMs;
        if (next !== undefined) found[cutOff(atMs, next, kills)].push(`${form} ${key}: at ${atMs} and ${next}`);
      }
    }
    return found;
  }

  #add(key: string, form: string, tokens: number): void {
    const piece = this.#pieces.get(key) ?? { form, begun: [] };
    piece.begun.push({ atMs: Date.now(), tokens });
    this.#pieces.set(key, piece);
  }
}

/**
 * A kill interrupts running work. So does the new driver of a run after the restart, if something continued before it:
 * an external attempt that ends in between is already being judged.
 */
function cutOff(atMs: number, nextMs: number, kills: readonly Kill[]): 'byKill' | 'bySuccessor' | 'byNothing' {
  const byKill = (kill: Kill): boolean =>
    atMs >= kill.atMs - stageMs && atMs <= kill.atMs + lateMs && nextMs > kill.atMs + lateMs;
  const bySuccessor = (kill: Kill): boolean => atMs > kill.atMs + lateMs && nextMs <= kill.backMs + takeoverMs;
  return kills.some(byKill) ? 'byKill' : kills.some(bySuccessor) ? 'bySuccessor' : 'byNothing';
}
