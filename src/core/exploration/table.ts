/**
 * An immutable map whose successor copies only what changed: entries are in shards, and a change copies only its
 * shards. So a round's commit costs what the round changed, and the previous state stays valid.
 */
export interface Table<K extends string | number, V> {
  readonly size: number;
  readonly shards: readonly (ReadonlyMap<K, V> | undefined)[];
}

const shardCount = 256;

export const emptyTable = <K extends string | number, V>(): Table<K, V> => ({ size: 0, shards: [] });

export const lookUp = <K extends string | number, V>(table: Table<K, V>, key: K): V | undefined =>
  table.shards[shardIndex(key)]?.get(key);

export function* iterateTableKeysUnordered<K extends string | number, V>(table: Table<K, V>): Generator<K> {
  for (const shard of table.shards) if (shard) yield* shard.keys();
}

export function* iterateTableValuesUnordered<K extends string | number, V>(table: Table<K, V>): Generator<V> {
  for (const shard of table.shards) if (shard) yield* shard.values();
}

/** Returns the table with these entries set. */
export const tableWithEntries = <K extends string | number, V>(
  table: Table<K, V>,
  entries: ReadonlyMap<K, V>,
): Table<K, V> => {
  if (entries.size === 0) return table;
  const shards =
    table.size === 0 ? new Array<ReadonlyMap<K, V> | undefined>(shardCount).fill(undefined) : [...table.shards];
  const copies = new Map<number, Map<K, V>>();
  let { size } = table;
  for (const [key, value] of entries) {
    const index = shardIndex(key);
    let copy = copies.get(index);
    if (!copy) {
      copy = new Map(table.shards[index]);
      copies.set(index, copy);
      shards[index] = copy;
    }
    if (!copy.has(key)) size += 1;
    copy.set(key, value);
  }
  return { size, shards };
};

/** Pending changes to a table: reads through this see them, the table does not. */
export interface Draft<K extends string | number, V> {
  readonly base: Table<K, V>;
  readonly changed: Map<K, V>;
}

export const makeDraft = <K extends string | number, V>(base: Table<K, V>): Draft<K, V> => ({
  base,
  changed: new Map(),
});

export const lookUpInDraftOrItsTable = <K extends string | number, V>(draft: Draft<K, V>, key: K): V | undefined =>
  draft.changed.get(key) ?? lookUp(draft.base, key);

export const tableWithDraftChanges = <K extends string | number, V>(draft: Draft<K, V>): Table<K, V> =>
  tableWithEntries(draft.base, draft.changed);

const shardIndex = (key: string | number): number =>
  typeof key === 'number' ? hashNumberToShardIndex(key) : hashTextToShardIndex(key);

// Fibonacci hashing; the part of a key beyond 32 bits is folded in.
const hashNumberToShardIndex = (key: number): number =>
  Math.imul((key | 0) ^ Math.floor(key / 0x1_0000_0000), 0x9e3779b1) >>> 24;

// FNV-1a; its upper bits are the better ones.
const hashTextToShardIndex = (key: string): number => {
  let h = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) h = Math.imul(h ^ key.charCodeAt(i), 0x01000193);
  return h >>> 24;
};
