import { URL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { cosineOrNull } from '#core/similarity/cosine.ts';
import { makeLazyEmbedder } from '../../offline/embedder/embedder.ts';
import { Recent } from '../../offline/embedder/recent.ts';

const embedder = makeLazyEmbedder();
afterAll(() => embedder.close());

const alike = async (one: string, other: string): Promise<number> => {
  const [a = [], b = []] = (await embedder.embed([one, other])).map((vector) => [...vector]);
  return cosineOrNull(a, b) ?? Number.NaN;
};

/** An embedder whose thread runs this program. */
const withThread = (program: string) =>
  makeLazyEmbedder(new URL(`data:text/javascript,${encodeURIComponent(program)}`));

const answering = (answer: string): string =>
  `import { parentPort } from 'node:worker_threads'; parentPort.on('message', ({ id, texts }) => { ${answer} });`;

describe('the embedder', () => {
  it('gives a text the same unit vector alone, among others and at the same time as others', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `The shop on street ${index} sells bread`);
    const [all, ...alone] = await Promise.all([
      embedder.embed(texts),
      ...texts.slice(30).map((text) => embedder.embed([text])),
    ]);
    expect(all).toHaveLength(40);
    for (const vector of all) expect([vector.length, Math.hypot(...vector)]).toEqual([512, expect.closeTo(1, 6)]);
    alone.forEach(([vector], index) => expect(vector).toEqual(all[30 + index]));
    const fresh = makeLazyEmbedder();
    expect(await fresh.embed(texts.slice(0, 1))).toEqual(all.slice(0, 1));
    await fresh.close();
  });

  it('does not block the calling thread', async () => {
    let ticks = 0;
    const clock = setInterval(() => (ticks += 1), 5);
    await embedder.embed(Array.from({ length: 30 }, (_, index) => `A sentence about the number ${index}`));
    clearInterval(clock);
    expect(ticks).toBeGreaterThan(5);
  });

  it('knows the meaning of words, in English only', async () => {
    expect(await alike('How old are you?', 'What is your age?')).toBeGreaterThan(0.7);
    expect(await alike('How old are you?', 'Where is the station?')).toBeLessThan(0.5);
    expect(await alike('今天天气很好', '我想学习计算机')).toBeGreaterThan(0.999);
  });

  it.each([
    ['dies while it loads', 'throw new Error("no weights")', 'no weights'],
    ['dies while it computes', answering('process.exit(3)'), 'code 3'],
    ['says why it cannot', answering('parentPort.postMessage({ id, error: "out of memory" })'), 'out of memory'],
    ['talks nonsense', answering('parentPort.postMessage("hello")'), 'unknown form'],
    ['leaves out a text', answering('parentPort.postMessage({ id, vectors: [] })'), 'left out a text'],
  ])('reports if its thread %s', async (_, program, reason) => {
    const broken = withThread(program);
    const failure = { status: 500, message: expect.stringContaining(reason) };
    await expect(broken.embed(['a text'])).rejects.toMatchObject(failure);
    await expect(broken.embed(['another text'])).rejects.toMatchObject(failure);
    await broken.close();
  });

  it('restarts after its thread died', async () => {
    const vector = 'new Float32Array(512).fill(1)';
    const once = withThread(
      answering(`if (texts[0] === 'die') process.exit(1); parentPort.postMessage({ id, vectors: [${vector}] });`),
    );
    await expect(once.embed(['die'])).rejects.toMatchObject({ status: 500 });
    expect(await once.embed(['live'])).toHaveLength(1);
    await once.close();
  });

  it('computes a text once while it is cached', async () => {
    const counting = withThread(
      `let count = 0; ${answering('parentPort.postMessage({ id, vectors: texts.map(() => new Float32Array(512).fill((count += 1))) })')}`,
    );
    const firsts = async (...texts: string[]) => (await counting.embed(texts)).map(([first]) => first);
    expect(await firsts('a', 'b', 'a')).toEqual([1, 2, 1]);
    expect(await firsts('b', 'c')).toEqual([2, 3]);
    await counting.close();
  });

  it('rejects requests during and after closing', async () => {
    const closing = makeLazyEmbedder();
    const asked = expect(closing.embed(['a text'])).rejects.toMatchObject({ status: 500 });
    await closing.close();
    await asked;
    await expect(closing.embed(['a text'])).rejects.toMatchObject({ status: 500 });
  });
});

describe('the cache of the embedder', () => {
  it('keeps what was used last', () => {
    const kept = new Recent<number>(2);
    kept.set('a', 1);
    kept.set('b', 2);
    kept.get('a');
    kept.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => kept.get(key))).toEqual([1, undefined, 3]);
  });
});
