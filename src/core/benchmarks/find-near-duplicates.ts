import { findDifferingEntityText } from '#core/similarity/entities.ts';
import {
  decideDuplicate,
  getEntitiesOfRequest,
  doesCosineMatterForRequests,
  type DuplicateThresholds,
  type ExpectedRequest,
} from '#core/similarity/near-duplicates.ts';
import { RequestIndex, sketchRequest } from '#core/similarity/request-index.ts';

/** Cosines by an embedder that was calibrated. */
export interface ComparedTexts {
  readonly cosines: readonly (number | null)[];
  readonly thresholds: DuplicateThresholds;
}

/** What finding near-duplicates among many units needs from outside. */
export interface DuplicateSource {
  /** Returns the source request of a unit, and the tools that it expects. */
  readExpectedRequest(id: string): ExpectedRequest;
  /** Returns the cosines of a text and others, in their order; null if the embedder cannot be reached or is unfit. */
  computeCosinesOrNull(text: string, others: readonly string[]): Promise<ComparedTexts | null>;
  /** Lets others use the thread. */
  yieldThread(): Promise<void>;
}

export interface FoundDuplicates {
  /** The kept unit, by the id of its near-duplicate. */
  readonly originals: ReadonlyMap<string, string>;
  /** How many units were compared by their words alone, because the embedder could not be reached or is unfit. */
  readonly comparedByWords: number;
}

/** How many of the most alike kept units are compared with each. */
const mostCompared = 10;
/** After how many units others may use the thread: a few tenths of a second. */
const unitsAtOnce = 100;
/** How many kept units' requests stay in memory, because the latest ones are compared most often. */
const mostRead = 1_000;

/**
 * Finds the near-duplicates among units: each unit is compared with those ten kept units before it whose words are most
 * alike, so the first of several stays. The embedder is asked only about pairs that everything else makes
 * near-duplicates; after it was of no use once, such pairs are compared by their words.
 *
 * n units cost at most 11 n readings and 10 n comparisons (a fraction of a millisecond each), one call of the embedder,
 * with at most 11 texts, for each unit that may be a near-duplicate, and the memory of a `RequestIndex`. The same units
 * in the same order give the same result, if the embedder gives the same vectors.
 */
export async function findNearDuplicates(ids: readonly string[], source: DuplicateSource): Promise<FoundDuplicates> {
  const index = new RequestIndex();
  const kept: string[] = [];
  const reader = new RequestReader(source);
  const originals = new Map<string, string>();
  let comparedByWords = 0;
  let useful = true;
  for (const [place, id] of ids.entries()) {
    if (place > 0 && place % unitsAtOnce === 0) await source.yieldThread();
    const request = reader.readRequestWithEntities(id);
    const sketch = sketchRequest(request);
    const near = index
      .findNearestRequestNumbers(sketch, mostCompared)
      .map((number) => ({ id: kept[number] ?? '', ...reader.readRequestWithEntities(kept[number] ?? '') }))
      // Most of them name something else, which is fast to see; and no cosine is above 1.
      .filter((other) => !hasDifferingEntity(request, other) && decideDuplicate(request, other, 1).duplicate);
    const asked = near.filter((other) => doesCosineMatterForRequests(request, other));
    const compared =
      asked.length === 0 || !useful
        ? null
        : await source.computeCosinesOrNull(
            request.text,
            asked.map(({ text }) => text),
          );
    if (asked.length > 0 && compared === null) {
      useful = false;
      comparedByWords += 1;
    }
    const original = near.find(
      (other) =>
        decideDuplicate(request, other, compared?.cosines[asked.indexOf(other)] ?? null, compared?.thresholds)
          .duplicate,
    );
    if (original !== undefined) originals.set(id, original.id);
    else {
      index.addRequestAndReturnNumber(sketch);
      kept.push(id);
    }
  }
  return { originals, comparedByWords };
}

const hasDifferingEntity = (a: ExpectedRequest, b: ExpectedRequest): boolean =>
  findDifferingEntityText(
    { text: a.text, entities: getEntitiesOfRequest(a) },
    { text: b.text, entities: getEntitiesOfRequest(b) },
  ) !== undefined;

/** Reads requests, and keeps the latest ones. */
class RequestReader {
  readonly #source: DuplicateSource;
  readonly #read = new Map<string, ExpectedRequest>();

  constructor(source: DuplicateSource) {
    this.#source = source;
  }

  readRequestWithEntities(id: string): ExpectedRequest {
    const known = this.#read.get(id);
    if (known !== undefined) return known;
    const request = this.#source.readExpectedRequest(id);
    const read = { ...request, entities: getEntitiesOfRequest(request) };
    this.#read.set(id, read);
    const [oldest] = this.#read.keys();
    if (this.#read.size > mostRead && oldest !== undefined) this.#read.delete(oldest);
    return read;
  }
}
