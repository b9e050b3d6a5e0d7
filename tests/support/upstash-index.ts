import { z } from 'zod';
import type { indexSpec } from './index-script.ts';

/**
 * What Upstash Vector does, in memory, as far as its documentation tells: vectors by namespace, exact neighbours in place
 * of approximate ones, and at once what the real one does after a moment.
 */

/** The real one says what is wrong with a request, with a status. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const id = z.union([z.string().min(1), z.number()]).transform(String);
const vector = z.array(z.number());
const metadata = z.record(z.string(), z.unknown());
const included = {
  includeMetadata: z.boolean().default(false),
  includeVectors: z.boolean().default(false),
  includeData: z.boolean().default(false),
};
const oneOrMany = <T extends z.ZodType>(form: T) =>
  z.union([z.array(form).max(1_000), form.transform((value) => [value])]);

const upsert = oneOrMany(z.strictObject({ id, vector, metadata: metadata.optional(), data: z.string().optional() }));
const upsertData = oneOrMany(z.strictObject({ id, data: z.string().min(1), metadata: metadata.optional() }));
const asked = { topK: z.int().min(1).max(1_000).default(10), filter: z.literal('').optional(), ...included };
const query = oneOrMany(z.strictObject({ vector, ...asked }));
const queryData = oneOrMany(z.strictObject({ data: z.string().min(1), ...asked }));
const selection = {
  ids: z.array(id).max(1_000).optional(),
  prefix: z.string().optional(),
};
const fetched = z.strictObject({ ...selection, ...included });
const deleted = z.union([z.array(id).transform((ids) => ({ ids, prefix: undefined })), z.strictObject(selection)]);
const range = z.strictObject({
  cursor: z.union([z.string(), z.number()]).transform(Number),
  limit: z.int().min(1).max(1_000),
  prefix: z.string().default(''),
  ...included,
});
const update = z.strictObject({
  id,
  vector: vector.optional(),
  data: z.string().optional(),
  metadata: metadata.optional(),
  metadataUpdateMode: z.enum(['OVERWRITE', 'PATCH']).default('OVERWRITE'),
});

interface Entry {
  readonly id: string;
  readonly vector: readonly number[];
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly data: string | undefined;
}
type Included = { readonly [Key in keyof typeof included]: boolean };

/** One index; `run` does an operation in a namespace (the default one has no name) and returns its result. */
export function upstashIndex(spec: z.infer<typeof indexSpec>): {
  run(operation: string, namespace: string, all: boolean, body: unknown): unknown;
} {
  const spaces = new Map<string, Map<string, Entry>>([['', new Map()]]);

  const put = (namespace: string, entries: readonly Entry[]): string => {
    for (const { vector } of entries) fitting(vector);
    const space = spaces.get(namespace) ?? new Map<string, Entry>();
    spaces.set(namespace, space);
    for (const entry of entries) space.set(entry.id, entry);
    return 'Success';
  };
  const fitting = (vector: readonly number[]): readonly number[] => {
    if (vector.length === spec.dimension) return vector;
    throw new Refusal(422, `Invalid vector dimension: ${vector.length}, expected: ${spec.dimension}`);
  };
  const embedded = (text: string): readonly number[] => {
    if (spec.embeddingModel !== null) return wordsVector(text, spec.dimension);
    throw new Refusal(422, 'Embedding data for this index is not allowed. The index must be created with a model.');
  };
  const entriesIn = (namespace: string): ReadonlyMap<string, Entry> => spaces.get(namespace) ?? new Map();
  const nearest = (namespace: string, vector: readonly number[], { topK, ...shown }: Included & { topK: number }) => {
    const scored = Array.from(entriesIn(namespace).values(), (entry) => ({
      entry,
      score: (1 + cosine(fitting(vector), entry.vector)) / 2,
    }));
    const best = scored.toSorted((a, b) => b.score - a.score).slice(0, topK);
    return best.map(({ entry, score }) => ({ ...show(entry, shown), score }));
  };
  /** The ids that a selection means. */
  const meant = (namespace: string, { ids, prefix }: { ids?: string[] | undefined; prefix?: string | undefined }) =>
    ids ?? Array.from(entriesIn(namespace).keys()).filter((each) => prefix !== undefined && each.startsWith(prefix));

  const operations: Readonly<Record<string, (namespace: string, body: unknown, all: boolean) => unknown>> = {
    upsert: (namespace, body) =>
      put(
        namespace,
        upsert.parse(body).map((entry) => ({ metadata: undefined, data: undefined, ...entry })),
      ),
    'upsert-data': (namespace, body) =>
      put(
        namespace,
        upsertData.parse(body).map((entry) => ({ metadata: undefined, ...entry, vector: embedded(entry.data) })),
      ),
    query: (namespace, body) =>
      single(query.parse(body).map(({ vector, ...rest }) => nearest(namespace, fitting(vector), rest))),
    'query-data': (namespace, body) =>
      single(queryData.parse(body).map(({ data, ...rest }) => nearest(namespace, embedded(data), rest))),
    fetch: (namespace, body) => {
      const { ids, prefix, ...shown } = fetched.parse(body);
      return meant(namespace, { ids, prefix }).map((each) => {
        const entry = entriesIn(namespace).get(each);
        return entry === undefined ? null : show(entry, shown);
      });
    },
    delete: (namespace, body) => ({
      deleted: meant(namespace, deleted.parse(body)).filter((each) => spaces.get(namespace)?.delete(each)).length,
    }),
    range: (namespace, body) => {
      const { cursor, limit, prefix, ...shown } = range.parse(body);
      const all = Array.from(entriesIn(namespace).values()).filter((entry) => entry.id.startsWith(prefix));
      const end = cursor + limit;
      return {
        nextCursor: end < all.length ? String(end) : '',
        vectors: all.slice(cursor, end).map((entry) => show(entry, shown)),
      };
    },
    update: (namespace, body) => {
      const { id, metadataUpdateMode, metadata, ...changes } = update.parse(body);
      const entry = entriesIn(namespace).get(id);
      if (entry === undefined) return { updated: 0 };
      const kept = metadataUpdateMode === 'PATCH' ? entry.metadata : {};
      const changed = metadata === undefined ? entry.metadata : { ...kept, ...metadata };
      put(namespace, [{ ...entry, metadata: changed, ...definite(changes) }]);
      return { updated: 1 };
    },
    reset: (namespace, _body, all) => {
      const cleared = all ? [...spaces.values()] : [spaces.get(namespace)];
      for (const space of cleared) space?.clear();
      return 'Success';
    },
    info: () => ({
      vectorCount: [...spaces.values()].reduce((sum, { size }) => sum + size, 0),
      pendingVectorCount: 0,
      indexSize: 0,
      dimension: spec.dimension,
      similarityFunction: spec.similarity,
      indexType: spec.indexType,
      denseIndex: {
        dimension: spec.dimension,
        similarityFunction: spec.similarity,
        ...(spec.embeddingModel === null ? {} : { embeddingModel: spec.embeddingModel }),
      },
      namespaces: Object.fromEntries(
        Array.from(spaces, ([name, { size }]) => [name, { vectorCount: size, pendingVectorCount: 0 }]),
      ),
    }),
    'list-namespaces': () => [...spaces.keys()],
    'delete-namespace': (namespace) => {
      if (namespace === '' || !spaces.delete(namespace))
        throw new Refusal(404, `Namespace ${namespace} does not exist`);
      return 'Success';
    },
  };

  return {
    run(operation, namespace, all, body) {
      const does = operations[operation];
      if (does === undefined) throw new Refusal(404, `nothing is at ${operation}`);
      return does(namespace, body, all);
    },
  };
}

/** One query gets its results, several a list of theirs. */
const single = <T>(answers: readonly T[]): T | readonly T[] | undefined =>
  answers.length === 1 ? answers[0] : answers;

const show = (entry: Entry, { includeMetadata, includeVectors, includeData }: Included) => ({
  id: entry.id,
  ...(includeVectors ? { vector: entry.vector } : {}),
  ...definite({
    metadata: includeMetadata ? entry.metadata : undefined,
    data: includeData ? entry.data : undefined,
  }),
});

const definite = <T extends object>(object: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } =>
  JSON.parse(JSON.stringify(object));

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b) || 1);
}

/** A text as the sum of its words, each of which has a place. */
function wordsVector(text: string, dimension: number): number[] {
  const vector = Array.from({ length: dimension }, () => 0);
  for (const word of text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? ['']) {
    let place = 7;
    for (const char of word) place = (place * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003;
    vector[place % dimension] = (vector[place % dimension] ?? 0) + 1;
  }
  return vector;
}
