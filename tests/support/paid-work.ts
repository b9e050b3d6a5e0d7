import type { AskedOfStub } from '../../bench/stub-models.ts';
import type { Kill } from './kills.ts';

/** How far before a kill the work of a stage can have begun that the kill cut off: a stage and its commit. */
const stageMs = 4_000;
/** How late a request that was sent before a kill can be read here. A restart takes longer. */
const lateMs = 500;

interface Begun {
  readonly atMs: number;
  readonly tokens: number;
}

/** A piece of work, and each time that it was begun. */
export interface Paid {
  readonly form: string;
  readonly begun: Begun[];
}

/** What models were asked for, so that what was paid twice can be found: a model's seed belongs to one piece of work. */
export class PaidWork {
  readonly #pieces = new Map<string, Paid>();

  /** Work begins with its first request; later turns of an agent belong to it. */
  readonly note = ({ model, seed, messages, response_format }: AskedOfStub, tokens: number): void => {
    if (messages.some(({ role }) => role === 'tool')) return;
    this.#add(`${model} ${seed}`, response_format?.json_schema.name ?? 'turn', tokens);
  };

  /** Vectors have no seed: their texts are what tells them apart. */
  readonly noteEmbedding = (texts: readonly string[]): void => this.#add(texts.join('\n'), 'vectors', 0);

  of(form: string): Paid[] {
    return [...this.#pieces.values()].filter((piece) => piece.form === form);
  }

  /** How many pieces of work were begun more than once. */
  get repeated(): number {
    return [...this.#pieces.values()].filter(({ begun }) => begun.length > 1).length;
  }

  /** Work that was begun again though no kill had cut it off. */
  paidTwice(kills: readonly Kill[]): string[] {
    return [...this.#pieces].flatMap(([key, { form, begun }]) =>
      begun.flatMap(({ atMs }, place) => {
        const next = begun[place + 1];
        if (next === undefined || wasCutOff(atMs, next.atMs, kills)) return [];
        return [`${form} ${key}: begun at ${atMs} and at ${next.atMs}, ${JSON.stringify(kills)}`];
      }),
    );
  }

  #add(key: string, form: string, tokens: number): void {
    const piece = this.#pieces.get(key) ?? { form, begun: [] };
    piece.begun.push({ atMs: Date.now(), tokens });
    this.#pieces.set(key, piece);
  }
}

/** By a kill, or by the new driver that comes with the restart: an old one may begin something before the runs are woken. */
const wasCutOff = (atMs: number, nextMs: number, kills: readonly Kill[]): boolean =>
  kills.some((kill) => atMs >= kill.atMs - stageMs && atMs <= kill.backMs && nextMs > kill.atMs + lateMs);
