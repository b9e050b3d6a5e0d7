import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cosineOrNull } from '#core/similarity/cosine.ts';
import { readEmbeddedPassages } from '../../offline/knowledge/passages.ts';
import { makeLazyEmbedder } from '../../offline/embedder/embedder.ts';

const embedder = makeLazyEmbedder();
afterAll(() => embedder.close());

/** Pairs of statements in the same words but one: the first is what the passage says, the second contradicts it. */
const statement = z.strictObject({ statement: z.string(), passage: z.string(), true: z.boolean() });
const statements = readFileSync(join(import.meta.dirname, '../fixtures/statements.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => statement.parse(JSON.parse(line)));

interface Scored {
  readonly isTrue: boolean;
  readonly similarity: number;
}

const scored = async (): Promise<Scored[]> => {
  const passages = new Map((await Array.fromAsync(readEmbeddedPassages())).map((one) => [one.id, one.vector]));
  const vectors = await embedder.embed(statements.map((one) => one.statement));
  return statements.map((one, index) => ({
    isTrue: one.true,
    similarity: cosineOrNull(passages.get(one.passage) ?? [], [...(vectors[index] ?? [])]) ?? Number.NaN,
  }));
};

const mean = (values: readonly Scored[]): number =>
  values.reduce((sum, { similarity }) => sum + similarity, 0) / values.length;

/** The share that the best threshold gets right, be it that what is similar is believed or that it is doubted. */
const bestAccuracy = (values: readonly Scored[]): number =>
  Math.max(
    ...values.flatMap(({ similarity: threshold }) => {
      const right = values.filter(({ isTrue, similarity }) => similarity >= threshold === isTrue).length;
      return [right / values.length, 1 - right / values.length];
    }),
  );

describe('similarity to a passage', () => {
  it('does not prove that the passage says so', async () => {
    const all = await scored();
    const [sound, unsound] = [all.filter(({ isTrue }) => isTrue), all.filter(({ isTrue }) => !isTrue)];
    expect([sound.length, unsound.length]).toEqual([40, 40]);

    // Both are as similar as an answer and its evidence are: most of the false ones as well.
    expect(mean(sound)).toBeGreaterThan(0.7);
    expect(mean(sound) - mean(unsound)).toBeLessThan(0.05);
    expect(unsound.filter(({ similarity }) => similarity > 0.7).length).toBeGreaterThanOrEqual(unsound.length / 2);

    // Guessing gets half of them right, and the best threshold, chosen with the answers at hand, not much more.
    expect(bestAccuracy(all)).toBeLessThan(0.65);
    // The threshold from which a writer may use a passage keeps few, and false ones among them.
    const near = all.filter(({ similarity }) => similarity >= 0.9);
    expect(near.filter(({ isTrue }) => isTrue).length).toBeLessThan(sound.length / 4);
    expect(near.filter(({ isTrue }) => !isTrue).length).toBeGreaterThan(0);
    const falseIsCloser = sound.filter(({ similarity }, index) => similarity < (unsound[index]?.similarity ?? 0));
    expect(falseIsCloser.length).toBeGreaterThanOrEqual(5);
  });
});
