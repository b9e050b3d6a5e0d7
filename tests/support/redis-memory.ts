import { RedisError } from './resp.ts';

/** The answer of a command unless it fails. */
export type Found = string | number | null | readonly Found[];

/** One in-memory Redis database, with the commands that this project sends; every other command is an error. */
export class RedisMemory {
  readonly #values = new Map<string, Value>();
  readonly #endsAtMs = new Map<string, number>();

  /** Performs a command other than a script; throws errors. */
  run(name: string, args: readonly string[]): Found {
    const command = commands[name.toLowerCase()];
    if (command === undefined) throw new RedisError(`ERR unknown command '${name}'`);
    const [least, run] = command;
    if (args.length < least) throw new RedisError(`ERR wrong number of arguments for '${name.toLowerCase()}' command`);
    return run(this, args);
  }

  keys(): string[] {
    return [...this.#values.keys()].filter((key) => this.has(key));
  }

  has(key: string): boolean {
    if ((this.#endsAtMs.get(key) ?? Infinity) <= Date.now()) this.delete(key);
    return this.#values.has(key);
  }

  /** Returns the value of a key: null if there is none, an error if it has another type. */
  get<K extends Kind>(key: string, kind: K): Kinds[K] | null {
    const value = this.has(key) ? this.#values.get(key) : undefined;
    if (value === undefined) return null;
    const found = value[kind];
    if (found === undefined) throw new RedisError('WRONGTYPE Operation against a key holding the wrong kind of value');
    return found;
  }

  /** Changes the value of a key, which is removed if it becomes empty. */
  change<K extends 'hash' | 'set' | 'sorted'>(key: string, kind: K, empty: Kinds[K], change: (it: Kinds[K]) => number) {
    const value = this.get(key, kind) ?? empty;
    const changed = change(value);
    if (value.size === 0) this.delete(key);
    else this.#values.set(key, { [kind]: value });
    return changed;
  }

  setText(key: string, text: string): void {
    this.#values.set(key, { text });
  }

  delete(key: string): boolean {
    this.#endsAtMs.delete(key);
    return this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
    this.#endsAtMs.clear();
  }

  /** When a key expires; null if it does not. */
  endsAtMs(key: string): number | null {
    return this.has(key) ? (this.#endsAtMs.get(key) ?? null) : null;
  }

  endAt(key: string, atMs: number): number {
    if (!this.has(key)) return 0;
    this.#endsAtMs.set(key, atMs);
    return 1;
  }

  persist(key: string): number {
    return this.has(key) && this.#endsAtMs.delete(key) ? 1 : 0;
  }
}

interface Kinds {
  text: string;
  hash: Map<string, string>;
  set: Set<string>;
  sorted: Map<string, number>;
}
type Kind = keyof Kinds;
type Value = Partial<Kinds>;

/** By name: the number of required arguments, and the implementation. */
const commands: Readonly<Record<string, readonly [number, (db: RedisMemory, args: readonly string[]) => Found]>> = {
  get: [1, (db, [key = '']) => db.get(key, 'text')],
  set: [
    2,
    (db, [key = '', text = '', ...options]) => {
      if (options.length > 0) throw new RedisError('ERR syntax error');
      db.delete(key);
      db.setText(key, text);
      return 'OK';
    },
  ],
  incr: [1, (db, [key = '']) => increased(db, key, '1')],
  incrby: [2, (db, [key = '', by = '']) => increased(db, key, by)],

  del: [1, (db, keys) => keys.filter((key) => db.has(key) && db.delete(key)).length],
  unlink: [1, (db, keys) => keys.filter((key) => db.has(key) && db.delete(key)).length],
  expire: [2, (db, [key = '', seconds = '']) => db.endAt(key, Date.now() + integer(seconds) * 1_000)],
  pexpire: [2, (db, [key = '', ms = '']) => db.endAt(key, Date.now() + integer(ms))],
  persist: [1, (db, [key = '']) => db.persist(key)],
  ttl: [1, (db, [key = '']) => restMs(db, key, 1_000)],
  pttl: [1, (db, [key = '']) => restMs(db, key, 1)],
  dbsize: [0, (db) => db.keys().length],
  flushdb: [
    0,
    (db) => {
      db.clear();
      return 'OK';
    },
  ],
  keys: [
    1,
    (db, [pattern]) => {
      if (pattern !== '*') throw new RedisError('ERR only * is supported here');
      return db.keys();
    },
  ],

  hget: [2, (db, [key = '', field = '']) => db.get(key, 'hash')?.get(field) ?? null],
  hmget: [2, (db, [key = '', ...fields]) => fields.map((field) => db.get(key, 'hash')?.get(field) ?? null)],
  hlen: [1, (db, [key = '']) => db.get(key, 'hash')?.size ?? 0],
  hset: [
    3,
    (db, [key = '', ...rest]) =>
      db.change(key, 'hash', new Map(), (hash) =>
        added(hash, () => {
          for (const [field, text] of pairs(rest)) hash.set(field, text);
        }),
      ),
  ],
  hdel: [2, (db, [key = '', ...fields]) => removed(db, key, 'hash', new Map(), fields)],

  sadd: [
    2,
    (db, [key = '', ...members]) =>
      db.change(key, 'set', new Set(), (set) =>
        added(set, () => {
          for (const member of members) set.add(member);
        }),
      ),
  ],
  sismember: [2, (db, [key = '', member = '']) => (db.get(key, 'set')?.has(member) ? 1 : 0)],
  smismember: [2, (db, [key = '', ...members]) => members.map((each) => (db.get(key, 'set')?.has(each) ? 1 : 0))],

  zadd: [
    3,
    (db, [key = '', ...rest]) => {
      const scores = [...pairs(rest)].map(([score, member]) => [member, parsedScore(score)] as const);
      return db.change(key, 'sorted', new Map(), (sorted) =>
        added(sorted, () => {
          for (const [member, score] of scores) sorted.set(member, score);
        }),
      );
    },
  ],
  zrem: [2, (db, [key = '', ...members]) => removed(db, key, 'sorted', new Map(), members)],
  zcard: [1, (db, [key = '']) => db.get(key, 'sorted')?.size ?? 0],
  zscore: [2, (db, [key = '', member = '']) => shownScore(db.get(key, 'sorted')?.get(member))],
  zmscore: [2, (db, [key = '', ...members]) => members.map((each) => shownScore(db.get(key, 'sorted')?.get(each)))],
  zrank: [
    2,
    (db, [key = '', member = '']) => {
      const at = ordered(db, key).findIndex(([each]) => each === member);
      return at < 0 ? null : at;
    },
  ],
  zrange: [
    3,
    (db, [key = '', first = '', last = '', ...options]) => {
      if (options.length > 0) throw new RedisError('ERR syntax error');
      const [from, to] = [integer(first), integer(last)];
      const all = ordered(db, key);
      const place = (at: number) => (at < 0 ? all.length + at : at);
      return all.slice(Math.max(0, place(from)), Math.max(0, place(to) + 1)).map(([member]) => member);
    },
  ],
  zrevrangebyscore: [
    3,
    (db, [key = '', most = '', least = '', ...options]) => {
      const [upper, lower] = [scoreLimit(most), scoreLimit(least)];
      const [word = 'limit', from = '0', count = '-1'] = options;
      if (word.toLowerCase() !== 'limit' || ![0, 3].includes(options.length)) throw new RedisError('ERR syntax error');
      const [skipped, atMost] = [integer(from), integer(count)];
      const inside = (score: number) =>
        (upper.exclusive ? score < upper.score : score <= upper.score) &&
        (lower.exclusive ? score > lower.score : score >= lower.score);
      const found = ordered(db, key).filter(([, score]) => inside(score));
      const members = found.map(([member]) => member).toReversed();
      if (skipped < 0) return [];
      return members.slice(skipped, atMost < 0 ? members.length : skipped + atMost);
    },
  ],
};

/** The members by score, those with the same score by their bytes. */
const ordered = (db: RedisMemory, key: string): [member: string, score: number][] =>
  [...(db.get(key, 'sorted') ?? [])].toSorted(([a, one], [b, other]) =>
    one < other ? -1 : one > other ? 1 : Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );

function added(collection: { readonly size: number }, add: () => void): number {
  const before = collection.size;
  add();
  return collection.size - before;
}

const removed = <K extends 'hash' | 'sorted'>(
  db: RedisMemory,
  key: string,
  kind: K,
  empty: Kinds[K],
  members: readonly string[],
): number => db.change(key, kind, empty, (collection) => members.filter((member) => collection.delete(member)).length);

function* pairs(texts: readonly string[]): Generator<[string, string]> {
  if (texts.length % 2 !== 0) throw new RedisError('ERR syntax error');
  for (let at = 0; at < texts.length; at += 2) yield [texts[at] ?? '', texts[at + 1] ?? ''];
}

function increased(db: RedisMemory, key: string, by: string): number {
  const sum = integer(db.get(key, 'text') ?? '0') + integer(by);
  db.setText(key, String(sum));
  return sum;
}

function restMs(db: RedisMemory, key: string, unitMs: number): number {
  if (!db.has(key)) return -2;
  const end = db.endsAtMs(key);
  return end === null ? -1 : Math.round((end - Date.now()) / unitMs);
}

function integer(text: string): number {
  if (!/^(0|-?[1-9]\d*)$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw new RedisError('ERR value is not an integer or out of range');
  return Number(text);
}

function parsedScore(text: string, error = 'ERR value is not a valid float'): number {
  const infinite = /^([+-]?)inf(inity)?$/i.exec(text);
  if (infinite !== null) return infinite[1] === '-' ? -Infinity : Infinity;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw new RedisError(error);
  return Number(text);
}

function scoreLimit(text: string): { readonly score: number; readonly exclusive: boolean } {
  const exclusive = text.startsWith('(');
  return { score: parsedScore(exclusive ? text.slice(1) : text, 'ERR min or max is not a float'), exclusive };
}

function shownScore(score: number | undefined): string | null {
  if (score === undefined) return null;
  return Number.isFinite(score) ? String(score) : score > 0 ? 'inf' : '-inf';
}
