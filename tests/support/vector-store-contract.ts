import type { StoredPassage } from '#core/similarity/knowledge/passage-record.ts';
import { describe, expect, test } from 'vitest';
import type { Reached, VectorStore } from '#core/ports.ts';

/** What every store of vectors does, whatever is behind it. For Node and workerd: nothing of either in here. */

/** How many numbers the vectors of these cases have. */
export const contractDimension = 4;

/** A store may keep vectors in a byte a dimension: scores are that precise, and so is the order. */
const near = (cosine: number) => {
  const match = { asymmetricMatch: (score: unknown) => typeof score === 'number' && Math.abs(score - cosine) < 0.02 };
  return match;
};

const value = <T>(reached: Reached<T>): T => {
  if (reached.ok) return reached.value;
  throw new Error(`${reached.fault.code}: ${reached.fault.detail}`);
};

const passage = (id: string, vector: readonly number[], more: Partial<StoredPassage> = {}) => ({
  id,
  text: `text of ${id}`,
  source: `source of ${id}`,
  licence: null,
  digest: `digest of ${id}`,
  ...more,
  vector,
});

const east = [1, 0, 0, 0];
/** At this cosine to `east`. */
const at = (cosine: number) => [cosine, Math.sqrt(1 - cosine * cosine), 0, 0];

/** The cases; `makeStore` gives a store that holds nothing and takes vectors of `contractDimension` numbers. */
export function vectorStoreContract(name: string, makeStore: () => Promise<VectorStore>): void {
  describe(`${name} as a store of vectors`, () => {
    test('finds what was put in, as it was put in', async () => {
      const store = await makeStore();
      value(await store.put('main', [passage('a', east, { licence: 'CC0' }), passage('b', at(0.5), { source: '' })]));
      expect(value(await store.nearest('main', east, 10))).toEqual([
        { id: 'a', text: 'text of a', source: 'source of a', licence: 'CC0', score: near(1) },
        { id: 'b', text: 'text of b', source: '', licence: null, score: near(0.5) },
      ]);
    });

    test('the nearest come first, with plain cosines from 1 to -1', async () => {
      const store = await makeStore();
      const cosines = [0.3, -1, 0.9, 0, 1, -0.4, 0.6];
      value(
        await store.put(
          'main',
          cosines.map((cosine) => passage(`at ${cosine}`, at(cosine))),
        ),
      );
      const found = value(await store.nearest('main', east, 10));
      expect(found.map(({ id, score }) => [id, score])).toEqual(
        [1, 0.9, 0.6, 0.3, 0, -0.4, -1].map((cosine) => [`at ${cosine}`, near(cosine)]),
      );
      expect(found.every(({ score }) => score >= -1 && score <= 1)).toBe(true);
    });

    test('the length of a vector does not count', async () => {
      const store = await makeStore();
      value(
        await store.put('main', [
          passage(
            'long',
            at(0.8).map((x) => x * 250),
          ),
          passage('short', at(0.2)),
        ]),
      );
      const found = value(await store.nearest('main', [0.001, 0, 0, 0], 10));
      expect(found.map(({ id, score }) => [id, score])).toEqual([
        ['long', near(0.8)],
        ['short', near(0.2)],
      ]);
    });

    test('no more than were asked for, and no more than there are', async () => {
      const store = await makeStore();
      value(await store.put('main', [passage('a', at(0.9)), passage('b', at(0.5)), passage('c', at(0.1))]));
      const ids = async (topK: number) => value(await store.nearest('main', east, topK)).map(({ id }) => id);
      expect(await ids(1)).toEqual(['a']);
      expect(await ids(2)).toEqual(['a', 'b']);
      expect(await ids(500)).toEqual(['a', 'b', 'c']);
      expect(await ids(0)).toEqual([]);
    });

    test('a passage takes the place of the one with its id', async () => {
      const store = await makeStore();
      value(await store.put('main', [passage('a', east), passage('b', at(0.5))]));
      value(await store.put('main', [passage('a', at(-0.5), { text: 'new', source: 'elsewhere', digest: 'other' })]));
      expect(value(await store.nearest('main', east, 10))).toMatchObject([
        { id: 'b', score: near(0.5) },
        { id: 'a', text: 'new', source: 'elsewhere', licence: null, score: near(-0.5) },
      ]);
      expect(value(await store.digests('main', ['a']))).toEqual(new Map([['a', 'other']]));
    });

    test('put twice is put once', async () => {
      const store = await makeStore();
      const entries = [passage('a', east), passage('b', at(0.5))];
      value(await store.put('main', entries));
      value(await store.put('main', entries));
      expect(value(await store.nearest('main', east, 10)).map(({ id }) => id)).toEqual(['a', 'b']);
      expect(value(await store.remove('main', ['a', 'b']))).toBe(2);
    });

    test('nothing to put in is nothing done', async () => {
      const store = await makeStore();
      expect(value(await store.put('main', []))).toBeNull();
      expect(value(await store.nearest('main', east, 10))).toEqual([]);
    });

    test('namespaces know nothing of each other', async () => {
      const store = await makeStore();
      value(await store.put('main', [passage('a', east)]));
      value(await store.put('other', [passage('a', at(0.5), { text: 'the other', digest: 'd2' }), passage('b', east)]));
      expect(value(await store.nearest('main', east, 10)).map(({ text }) => text)).toEqual(['text of a']);
      expect(value(await store.nearest('other', east, 10)).map(({ text }) => text)).toEqual(['text of b', 'the other']);
      expect(value(await store.digests('main', ['a', 'b']))).toEqual(new Map([['a', 'digest of a']]));
      expect(value(await store.remove('main', ['a', 'b']))).toBe(1);
      expect(value(await store.nearest('other', east, 10))).toHaveLength(2);
      value(await store.put('main', [passage('c', east)]));
      value(await store.clear('other'));
      expect(value(await store.nearest('other', east, 10))).toEqual([]);
      expect(value(await store.nearest('main', east, 10)).map(({ id }) => id)).toEqual(['c']);
    });

    test('names of namespaces may differ in a letter case, a dot or a length', async () => {
      const store = await makeStore();
      const names = ['main', 'Main', 'main.1', 'main-1', 'main_1', 'm', '0', 'x'.repeat(64)];
      for (const name of names) value(await store.put(name, [passage('a', east, { text: `in ${name}` })]));
      for (const name of names)
        expect(value(await store.nearest(name, east, 10)).map(({ text }) => text)).toEqual([`in ${name}`]);
    });

    test('a namespace that nobody put anything in is empty', async () => {
      const store = await makeStore();
      expect(value(await store.nearest('nowhere', east, 10))).toEqual([]);
      expect(value(await store.digests('nowhere', ['a']))).toEqual(new Map());
      expect(value(await store.remove('nowhere', ['a']))).toBe(0);
      expect(value(await store.clear('nowhere'))).toBeNull();
    });

    test('digests of what is there', async () => {
      const store = await makeStore();
      value(await store.put('main', [passage('a', east), passage('b', at(0.5))]));
      expect(value(await store.digests('main', ['b', 'gone', 'a', 'b']))).toEqual(
        new Map([
          ['a', 'digest of a'],
          ['b', 'digest of b'],
        ]),
      );
      expect(value(await store.digests('main', []))).toEqual(new Map());
    });

    test('what is taken out is gone, once', async () => {
      const store = await makeStore();
      value(await store.put('main', [passage('a', east), passage('b', at(0.5)), passage('c', at(0.1))]));
      expect(value(await store.remove('main', ['a', 'gone', 'c', 'a']))).toBe(2);
      expect(value(await store.remove('main', ['a', 'c']))).toBe(0);
      expect(value(await store.remove('main', []))).toBe(0);
      expect(value(await store.nearest('main', east, 10)).map(({ id }) => id)).toEqual(['b']);
      expect(value(await store.digests('main', ['a', 'b', 'c']))).toEqual(new Map([['b', 'digest of b']]));
    });

    test('a namespace can be filled again after it was cleared', async () => {
      const store = await makeStore();
      value(await store.put('main', [passage('a', east), passage('b', at(0.5))]));
      expect(value(await store.clear('main'))).toBeNull();
      expect(value(await store.clear('main'))).toBeNull();
      expect(value(await store.digests('main', ['a', 'b']))).toEqual(new Map());
      value(await store.put('main', [passage('b', east)]));
      expect(value(await store.nearest('main', east, 10)).map(({ id }) => id)).toEqual(['b']);
    });

    test('texts in every script, and what could be mistaken for code', async () => {
      const store = await makeStore();
      const texts = [
        '把文件夹里的照片按日期分类。',
        'Ümläute, ß & ñ — “quotes” and ‘others’',
        '🧭👩‍👩‍👧‍👦 e\u0301 \u00e9',
        'مرحبا بالعالم',
        'line\nbreak\ttab \\ back " quote \' other',
        `'); DROP TABLE passages; --`,
        '{"a": [1, null]}',
        'x'.repeat(8 * 1024),
      ];
      value(
        await store.put(
          'main',
          texts.map((text, i) => passage(`p${i}`, at(1 - i / 10), { text, source: text.slice(0, 400), licence: '©' })),
        ),
      );
      const found = value(await store.nearest('main', east, 10));
      expect(found.map(({ text, source, licence }) => [text, source, licence])).toEqual(
        texts.map((text) => [text, text.slice(0, 400), '©']),
      );
    });

    test('ids with odd characters', async () => {
      const store = await makeStore();
      const ids = [
        'a b',
        'a/b',
        'a?b#c',
        'a\'b"c',
        '%2F',
        '../..',
        '中文',
        '🧭',
        'a\nb',
        'A',
        'a',
        '7',
        'x'.repeat(200),
      ];
      value(
        await store.put(
          'main',
          ids.map((id) => passage(id, east)),
        ),
      );
      expect(
        value(await store.nearest('main', east, 50))
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(ids.toSorted());
      expect(value(await store.digests('main', ids))).toEqual(new Map(ids.map((id) => [id, `digest of ${id}`])));
      expect(value(await store.remove('main', ids.slice(1)))).toBe(ids.length - 1);
      expect(value(await store.nearest('main', east, 50)).map(({ id }) => id)).toEqual(['a b']);
    });

    test('more passages than go into one request', async () => {
      const store = await makeStore();
      const many = Array.from({ length: 450 }, (_, i) => passage(`p${i}`, at(1 - i / 300)));
      const ids = many.map(({ id }) => id);
      value(await store.put('main', many));
      expect(value(await store.digests('main', ids)).size).toBe(450);
      expect(value(await store.nearest('main', at(-0.49), 1))).toMatchObject([{ score: near(1) }]);
      expect(value(await store.remove('main', ids))).toBe(450);
      expect(value(await store.nearest('main', east, 10))).toEqual([]);
    });
  });
}
