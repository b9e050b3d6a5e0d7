import type { StoredPassage } from '#core/similarity/knowledge/passage-record.ts';
import { computeVectorsOfDimension } from '#adapters/vector/compute-vectors.ts';
import type { OpenedStore } from '#adapters/vector/stores.ts';
import { refuse, type Problem } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import type { EventBody } from '#core/reports/events.ts';
import { parsePassageLine, type GivenPassage } from '#core/similarity/knowledge/passage.ts';
import { quantizeVectorOrNull } from '#core/similarity/knowledge/quantize-vector.ts';
import type { LoadRecord } from '#core/similarity/knowledge/record.ts';
import type { Reached } from '#core/ports.ts';
import { problemOfIndexFault } from './index-fault.ts';
import type { Line } from './uploaded-lines.ts';

/** The target of a load, and who is notified. */
export interface LoadTarget {
  /** Names the load in its events. */
  readonly load: string;
  readonly namespace: string;
  readonly opened: OpenedStore;
  /** Gives way to other requests. */
  rest(): Promise<void>;
  emit(event: EventBody): Promise<void>;
  /** Is notified before passages are written, and after. */
  note(what: 'expect' | 'confirm', ids: readonly string[]): Promise<void>;
}

interface NumberedPassage extends GivenPassage {
  readonly line: number;
}

/** Passages of a batch: it rewrites a row of vectors, however few it has. */
const passagesPerBatch = 100;

/**
 * Loads the lines of one upload batch by batch, each atomically. Passages that are already stored, by their digest, are
 * neither embedded nor written again.
 */
export class PassageLoad {
  readonly #target: LoadTarget;
  #totals: LoadRecord = { lines: 0, loaded: 0, unchanged: 0 };
  #line = 0;
  /** Read, and not loaded yet. */
  #waiting: NumberedPassage[] = [];

  constructor(target: LoadTarget) {
    this.#target = target;
  }

  get totals(): LoadRecord {
    return this.#totals;
  }

  /** The last loaded line; 0 before the first. */
  get lastLine(): number {
    return this.#line;
  }

  /** Reads some lines, up to the first bad one, which it names, and loads them as soon as they make a batch. */
  async readLinesUntilInvalid(lines: readonly Line[]): Promise<Result<null>> {
    for (const { number, text } of lines) {
      const read = await this.#parseAndCheckPassage(text, number);
      if (!read.ok) return read;
      this.#waiting.push(read.value);
      if (this.#waiting.length < passagesPerBatch) continue;
      const loaded = await this.loadWaiting();
      if (!loaded.ok) return loaded;
    }
    return ok(null);
  }

  /** Loads what was read and makes no whole batch, at the end of the upload or before a bad line. */
  async loadWaiting(): Promise<Result<null>> {
    const waiting = this.#waiting;
    this.#waiting = [];
    await this.#target.rest();
    for (const batch of splitAtRepeatedIds(waiting)) {
      const loaded = await this.#loadAndReportBatch(batch);
      if (!loaded.ok) return loaded;
    }
    return ok(null);
  }

  async #parseAndCheckPassage(text: string, line: number): Promise<Result<NumberedPassage>> {
    const read = await parsePassageLine(text);
    if (!read.ok) return refuse('invalid-passage', `line ${line}: ${read.problem}`);
    const { opened } = this.#target;
    const { vector } = read.value;
    if (vector === null) return ok({ ...read.value, line });
    if (opened.embedding === 'store')
      return refuse('invalid-passage', `line ${line}: vector: the index makes its vectors itself`);
    const { length } = vector;
    if (length !== opened.dimension) {
      const detail = `line ${line}: its vector has ${length} numbers; those of the index have ${opened.dimension}`;
      return refuse('dimension-mismatch', detail);
    }
    if (quantizeVectorOrNull(vector) === null)
      return refuse('invalid-passage', `line ${line}: vector: it has no direction`);
    return ok({ ...read.value, line });
  }

  async #loadAndReportBatch(batch: readonly NumberedPassage[]): Promise<Result<null>> {
    const { load, namespace, opened, note, emit } = this.#target;
    const ids = batch.map(({ passage }) => passage.id);
    const known = await opened.store.digests(namespace, ids);
    if (!known.ok) return this.#makeBatchRefusal(batch, problemOfIndexFault(known.fault));
    const missing = batch.filter(({ passage: { id, digest } }) => known.value.get(id) !== digest);
    if (missing.length > 0) {
      const added = missing.map(({ passage }) => passage.id);
      await note('expect', added);
      const stored = await this.#embedAndStore(missing);
      if (!stored.ok) return this.#makeBatchRefusal(batch, problemOfIndexFault(stored.fault));
    }
    await note('confirm', ids);
    const { lines, loaded, unchanged } = this.#totals;
    this.#totals = {
      lines: lines + batch.length,
      loaded: loaded + missing.length,
      unchanged: unchanged + batch.length - missing.length,
    };
    this.#line = batch.at(-1)?.line ?? this.#line;
    await emit({ type: 'passages.loaded', load, namespace, ...this.#totals });
    return ok(null);
  }

  async #embedAndStore(missing: readonly NumberedPassage[]): Promise<Reached<null>> {
    const { namespace, opened } = this.#target;
    const passages = missing.map(({ passage }) => passage);
    if (opened.embedding === 'store') return opened.store.putTexts(namespace, passages);
    const bare = missing.filter(({ vector }) => vector === null);
    const texts = bare.map(({ passage }) => passage.text);
    const embedded =
      texts.length === 0
        ? ({ ok: true, vectors: [] } as const)
        : await computeVectorsOfDimension(opened.embedder, opened.dimension, texts);
    if (!embedded.ok) return embedded;
    const made = new Map(bare.map(({ passage }, n) => [passage.id, embedded.vectors[n] ?? []]));
    const entries = missing.map(({ passage, vector }): StoredPassage & { vector: readonly number[] } => ({
      ...passage,
      vector: vector ?? made.get(passage.id) ?? [],
    }));
    return opened.store.put(namespace, entries);
  }

  #makeBatchRefusal(batch: readonly NumberedPassage[], { code, detail }: Problem): Result<null> {
    return refuse(code, `lines ${batch[0]?.line ?? 0} to ${batch.at(-1)?.line ?? 0}: ${detail}`);
  }
}

/** Splits a batch so that an id occurs once in each part; a repeated identical passage counts as already stored. */
function splitAtRepeatedIds(passages: readonly NumberedPassage[]): NumberedPassage[][] {
  const parts: NumberedPassage[][] = [];
  let seen = new Set<string>();
  for (const each of passages) {
    if (parts.length === 0 || seen.has(each.passage.id)) {
      parts.push([]);
      seen = new Set();
    }
    seen.add(each.passage.id);
    parts.at(-1)?.push(each);
  }
  return parts;
}
