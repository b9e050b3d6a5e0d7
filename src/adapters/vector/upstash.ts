import type { FoundPassage, StoredPassage } from '#core/similarity/knowledge/passage-record.ts';
import { Index } from '@upstash/vector';
import type { z } from 'zod';
import type { Reached, TextStore, VectorStore } from '#core/ports.ts';
import {
  deleteAnswer,
  storedDigestOfItemOrUndefined,
  fetchAnswer,
  infoAnswer,
  parseFoundPassages,
  queryAnswer,
  resetAnswer,
  upsertAnswer,
  type IndexDescription,
} from './upstash-answers.ts';
import { VectorFailure, makeRetryingVectorRequester, type VectorRequesterOptions } from './vector-requester.ts';

type Bounds = Omit<VectorRequesterOptions, 'url' | 'token' | 'fetch' | 'admission'>;

export interface UpstashOptions
  extends Pick<VectorRequesterOptions, 'url' | 'token' | 'fetch' | 'admission'>, Partial<Bounds> {
  /** Names the index in faults. */
  readonly id: string;
}

/** An index at Upstash Vector. Its namespace `main` is Upstash's default one, which has no name. */
export interface UpstashStore extends VectorStore, TextStore {
  /** The index's properties, which must be checked before it is used. */
  describe(): Promise<Reached<IndexDescription>>;
}

/**
 * Passages at Upstash Vector: the text in `data`, the rest in `metadata`. Writes become visible to searches after a
 * delay; Upstash promises no more.
 */
export function makeUpstashStore({ id, url, token, fetch, admission, ...bounds }: UpstashOptions): UpstashStore {
  const index = new Index(makeRetryingVectorRequester({ ...defaults, ...bounds, url, token, fetch, admission }));
  const ask = makeParsingRequester(id);
  const upsertInBatches = async <E extends Sized>(entries: readonly E[], send: (batch: E[]) => Promise<unknown>) => {
    for (const batch of splitIntoBatches(entries)) {
      const answer = await ask(() => send(batch), upsertAnswer);
      if (!answer.ok) return answer;
    }
    return nothing;
  };
  const search = async (topK: number, request: () => Promise<unknown>): Promise<Reached<readonly FoundPassage[]>> => {
    if (topK < 1) return { ok: true, value: [] };
    const answer = await ask(request, queryAnswer, []);
    return answer.ok ? { ok: true, value: parseFoundPassages(answer.value).slice(0, topK) } : answer;
  };

  return {
    put: (namespace, entries) =>
      upsertInBatches(entries, (batch) =>
        index.upsert(
          batch.map((entry) => ({ ...makeUpstashEntry(entry), vector: [...entry.vector] })),
          namespaceOption(namespace),
        ),
      ),

    putTexts: (namespace, passages) =>
      upsertInBatches(passages, (batch) => index.upsert(batch.map(makeUpstashEntry), namespaceOption(namespace))),

    nearest: (namespace, vector, topK) =>
      search(topK, () => index.query({ vector: [...vector], ...queryOptions(topK) }, namespaceOption(namespace))),

    nearestTexts: (namespace, query, topK) =>
      search(topK, () => index.query({ data: query, ...queryOptions(topK) }, namespaceOption(namespace))),

    async digests(namespace, ids) {
      const digests = new Map<string, string>();
      for (const batch of splitIntoChunks([...new Set(ids)])) {
        const answer = await ask(
          () => index.fetch(batch, { includeMetadata: true, ...namespaceOption(namespace) }),
          fetchAnswer,
          [],
        );
        if (!answer.ok) return answer;
        for (const entry of answer.value) {
          const digest = entry === null ? undefined : storedDigestOfItemOrUndefined(entry);
          if (entry !== null && digest !== undefined) digests.set(String(entry.id), digest);
        }
      }
      return { ok: true, value: digests };
    },

    async remove(namespace, ids) {
      let removed = 0;
      for (const batch of splitIntoChunks([...new Set(ids)])) {
        const answer = await ask(() => index.delete(batch, namespaceOption(namespace)), deleteAnswer, { deleted: 0 });
        if (!answer.ok) return answer;
        removed += answer.value.deleted;
      }
      return { ok: true, value: removed };
    },

    clear: async (namespace) =>
      answerWithoutValue(await ask(() => index.reset(namespaceOption(namespace)), resetAnswer, '')),

    describe: () => ask(() => index.info(), infoAnswer),
  };
}

const defaults: Bounds = {
  timeoutMs: 15_000,
  maxRetries: 4,
  // A rate limit of seconds is waited out, but a run does not wait for an unreachable index.
  maxWaitMs: 10_000,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
  now: Date.now,
};

/** Makes a request and parses its result. `empty` is the result for a namespace that was never written to. */
const makeParsingRequester =
  (id: string) =>
  async <T>(request: () => Promise<unknown>, form: z.ZodType<T>, empty?: T): Promise<Reached<T>> => {
    try {
      const { success, data } = form.safeParse(await request());
      return success
        ? { ok: true, value: data }
        : failWithIndexFault(id, 'malformed-protocol', 'the result has another form');
    } catch (error) {
      if (!(error instanceof VectorFailure)) throw error;
      if (error.noNamespace && empty !== undefined) return { ok: true, value: empty };
      return failWithIndexFault(id, error.code, error.message);
    }
  };

const nothing: Reached<null> = { ok: true, value: null };
const answerWithoutValue = (answer: Reached<unknown>): Reached<null> => (answer.ok ? nothing : answer);

const failWithIndexFault = (name: string, code: VectorFailure['code'], detail: string) =>
  ({ ok: false, fault: { where: 'index', name, code, detail } }) as const;

const namespaceOption = (namespace: string): { namespace?: string } =>
  namespace === 'main' ? {} : { namespace: encodeURIComponent(namespace) };

/** Upstash returns at most this many. */
const largestTopK = 1_000;
const queryOptions = (topK: number) => ({
  topK: Math.min(topK, largestTopK),
  includeMetadata: true,
  includeData: true,
});

const makeUpstashEntry = ({ id, text, source, licence, digest }: StoredPassage) => ({
  id,
  data: text,
  metadata: { source, digest, ...(licence === null ? {} : { licence }) },
});

/** Upstash accepts 1,000 at once; fewer make a repeat cheaper. */
const batchSize = 200;
/** Approximate bytes of JSON in one request. */
const batchBytes = 2_000_000;

interface Sized {
  readonly text: string;
  readonly vector?: readonly number[];
}

function* splitIntoBatches<E extends Sized>(entries: readonly E[]): Generator<E[]> {
  let batch: E[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = entry.text.length * 3 + (entry.vector?.length ?? 0) * 22 + 1_000;
    if (batch.length === batchSize || (batch.length > 0 && bytes + size > batchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function* splitIntoChunks(ids: readonly string[]): Generator<string[]> {
  for (let start = 0; start < ids.length; start += batchSize) yield ids.slice(start, start + batchSize);
}
