import { listComparedItems } from './content.ts';
import { getEntitiesOfRequest, type ExpectedRequest } from './near-duplicates.ts';
import { detectWriting } from './writing.ts';

/** Keys that are kept of a request. */
const mostKeys = 32;
/** Occurrences of keys that are looked at to find the neighbours of one request. */
const mostLookedAt = 4_000;
/** What share of content requests with different tools must have in common: about 0.6 of all words is the rule's. */
const leastWithOtherTools = 0.4;

/** What an index looks at in a request. */
export interface RequestSketch {
  /** What the rule compares of its content, as numbers, each once; requests without content have one in common. */
  readonly keys: readonly number[];
  readonly tools: number;
}

/** Returns the sketch of a request. */
export const sketchRequest = (request: ExpectedRequest): RequestSketch => ({
  keys: hashEachComparedItem(request),
  tools: hashTools(request.tools),
});

/**
 * Finds the requests that are most like another one by the keys that their sketches have in common (at most 32 of a
 * request), without looking at each. It finds nothing that has no key in common with the request; near-duplicates nearly
 * always have one. Where a key is very common, it looks at the latest requests that have it. Holds numbers only: about
 * 500 bytes for each request, so 50,000 requests take 25 MB, and up to 80 MB if all of their keys are different.
 */
export class RequestIndex {
  readonly #slots = new Map<number, number>();
  /** By slot of a key: its latest occurrence, and how many there are. */
  readonly #latest: number[] = [];
  readonly #counts: number[] = [];
  /** By occurrence: the request, and the occurrence before. */
  readonly #requests: number[] = [];
  readonly #before: number[] = [];
  /** By request. */
  readonly #sizes: number[] = [];
  readonly #tools: number[] = [];

  /** Returns the numbers of the requests that are most alike, most alike first. */
  findNearestRequestNumbers({ keys, tools }: RequestSketch, limit: number): number[] {
    const shared = this.#countSharedKeysByRequest(keys);
    return [...shared]
      .map(([other, common]) => ({ other, likeness: (2 * common) / (keys.length + (this.#sizes[other] ?? 0)) }))
      .filter(({ other, likeness }) => this.#tools[other] === tools || likeness >= leastWithOtherTools)
      .toSorted((a, b) => b.likeness - a.likeness || a.other - b.other)
      .slice(0, limit)
      .map(({ other }) => other);
  }

  /** Adds a request, and returns its number: 0, 1, 2, and so on. */
  addRequestAndReturnNumber({ keys, tools }: RequestSketch): number {
    const number = this.#sizes.push(keys.length) - 1;
    this.#tools.push(tools);
    for (const key of keys) {
      const slot = this.#slots.get(key) ?? this.#latest.push(-1) - 1;
      this.#slots.set(key, slot);
      this.#before.push(this.#latest[slot] ?? -1);
      this.#latest[slot] = this.#requests.push(number) - 1;
      this.#counts[slot] = (this.#counts[slot] ?? 0) + 1;
    }
    return number;
  }

  /** Counts the keys that other requests have in common with these, the rarest keys first. */
  #countSharedKeysByRequest(keys: readonly number[]): Map<number, number> {
    const shared = new Map<number, number>();
    const slots = keys.flatMap((key) => this.#slots.get(key) ?? []);
    let left = mostLookedAt;
    for (const slot of slots.toSorted((a, b) => (this.#counts[a] ?? 0) - (this.#counts[b] ?? 0))) {
      for (let at = this.#latest[slot] ?? -1; at >= 0 && left > 0; at = this.#before[at] ?? -1, left -= 1) {
        const other = this.#requests[at] ?? 0;
        shared.set(other, (shared.get(other) ?? 0) + 1);
      }
    }
    return shared;
  }
}

function hashEachComparedItem(request: ExpectedRequest): number[] {
  const keys = new Set(listComparedItems(getEntitiesOfRequest(request), detectWriting(request.text)).map(hashText));
  return keys.size === 0 ? [hashText('')] : [...keys].slice(0, mostKeys);
}

const hashTools = (tools: readonly string[]): number => hashText([...new Set(tools)].toSorted().join('\n'));

/** FNV-1a. Two texts with the same hash make a candidate too many, which the rule then refuses. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
