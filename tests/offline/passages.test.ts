import { afterAll, describe, expect, it } from 'vitest';
import { cosineOrNull } from '#core/similarity/cosine.ts';
import { derivePassages } from '../../offline/knowledge/derive.ts';
import { readEmbeddedPassages } from '../../offline/knowledge/passages.ts';
import { makeLazyEmbedder } from '../../offline/embedder/embedder.ts';

const embedder = makeLazyEmbedder();
afterAll(() => embedder.close());

const passages = await Array.fromAsync(readEmbeddedPassages());
const named = (name: string): string[] =>
  passages.filter(({ text }) => (text.split(':')[0] ?? '').split(', ').includes(name)).map(({ id }) => id);

describe('the passages', () => {
  it('are thousands, each with its own id, a source and a licence', () => {
    expect(passages.length).toBeGreaterThanOrEqual(5_000);
    expect(new Set(passages.map(({ id }) => id)).size).toBe(passages.length);
    for (const { id, text, source, licence } of passages) {
      expect(id).toMatch(/^(?:wordnet:\d{8}-n|factbook:[a-z]{2}:[a-z]+)$/u);
      expect(text).toMatch(/^[^:]+: \S.*[.!?]"?$/u);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000);
      expect([source, licence]).toEqual(
        id.startsWith('wordnet:')
          ? [expect.stringMatching(/^WordNet 3\.1, .+, noun$/u), 'WordNet License, Princeton University']
          : [expect.stringMatching(/^The World Factbook 2014-15, .+, .+: .+$/u), 'public domain'],
      );
    }
  });

  it('match the current packages', () => {
    expect(passages.map(({ id, text, source, licence }) => ({ id, text, source, licence }))).toEqual(derivePassages());
  });

  it('have several meanings for the same name, so that a name alone settles nothing', () => {
    expect(named('Cambridge')).toEqual(['wordnet:08898243-n', 'wordnet:09119256-n']);
    expect(named('gallon')).toEqual(['wordnet:13641045-n', 'wordnet:13643490-n']);
    expect(named('ton')).toHaveLength(2);
    expect(named('minute')).toHaveLength(2);
    expect(named('Ottawa')).toHaveLength(3);
    expect(named('Georgia').length).toBeGreaterThan(3);
  });

  it('have the vectors of the model', async () => {
    for (const { vector } of passages) {
      expect(vector).toHaveLength(512);
      expect(Math.max(...vector.map(Math.abs))).toBe(127);
    }
    const sample = passages.filter((_, index) => index % 331 === 0);
    const live = await embedder.embed(sample.map(({ text }) => text));
    expect(sample.length).toBeGreaterThanOrEqual(19);
    sample.forEach(({ vector }, index) =>
      expect(cosineOrNull(vector, [...(live[index] ?? [])])).toBeGreaterThan(0.999),
    );
  });
});
