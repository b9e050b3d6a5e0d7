import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findNearDuplicates, type FoundDuplicates } from '#core/benchmarks/find-near-duplicates.ts';
import { decideDuplicate, duplicateThresholds, type ExpectedRequest } from '#core/similarity/near-duplicates.ts';
import { RequestIndex, sketchRequest } from '#core/similarity/request-index.ts';
import { duplicatePairs } from '../../support/duplicate-pairs.ts';
import { scriptPairs } from '../../support/script-pairs.ts';

const request = (text: string, ...tools: string[]): ExpectedRequest => ({ text, tools });
const move = request('Move letter.md into the archive', 'fs/move');
const moveAgain = request('Please put letter.md into archive', 'fs/move');
const moveMenu = request('Move menu.md into the archive', 'fs/move');

interface Finding extends FoundDuplicates {
  /** How often the embedder was asked, and about how many texts. */
  readonly calls: readonly number[];
  /** How often it let others use the thread. */
  readonly yields: number;
}

/** Finds near-duplicates among requests, whose ids are their places. */
async function find(
  requests: readonly ExpectedRequest[],
  cosineOf: ((a: string, b: string) => number) | null,
  thresholds = duplicateThresholds,
): Promise<Finding> {
  const calls: number[] = [];
  let yields = 0;
  const found = await findNearDuplicates(
    requests.map((_, place) => String(place)),
    {
      readExpectedRequest: (id) => requests[Number(id)] ?? request(''),
      computeCosinesOrNull: (text, others) => {
        calls.push(1 + others.length);
        const cosines = others.map((other) => cosineOf?.(text, other) ?? null);
        return Promise.resolve(cosineOf === null ? null : { cosines, thresholds });
      },
      async yieldThread() {
        yields += 1;
      },
    },
  );
  return { ...found, calls, yields };
}

describe('the near-duplicates among units', () => {
  test('are the later ones of requests that ask for the same', async () => {
    const { originals } = await find([move, moveMenu, moveAgain, move], () => 0.8);
    expect([...originals]).toEqual([
      ['2', '0'],
      ['3', '0'],
    ]);
  });

  test('are found with other tools only if most words are the same', async () => {
    const plan = request('Add the task to the plan for the party', 'plan/new');
    const same = request('Please add the task to the plan for the party', 'plan/add');
    const other = request('Look up what the party costs', 'plan/read');
    expect([...(await find([plan, same, other], () => 0.95)).originals]).toEqual([['1', '0']]);
  });

  test('are all dropped but one, however many there are', async () => {
    const many = Array.from({ length: 60 }, (_, n) =>
      request(`${'Please '.repeat(n % 3)}move letter.md into the archive`, 'fs/move'),
    );
    const { originals } = await find(many, () => 0.9);
    expect(originals.size).toBe(59);
    expect(new Set(originals.values())).toEqual(new Set(['0']));
  });

  test('are searched for in portions of 100 units, between which others may use the thread', async () => {
    const unlike = Array.from({ length: 301 }, (_, n) => request(`Move page ${n} into the archive`, 'fs/move'));
    expect((await find(unlike, () => 1)).yields).toBe(3);
    expect((await find(unlike.slice(0, 100), () => 1)).yields).toBe(0);
  });

  test('cost a call of the embedder only where everything else makes them near-duplicates', async () => {
    const unlike = Array.from({ length: 200 }, (_, n) => request(`Move page ${n} into the archive`, 'fs/move'));
    expect((await find(unlike, () => 1)).calls).toEqual([]);
    expect(await find([...unlike, move, moveAgain], () => 0.1)).toMatchObject({ calls: [2], originals: new Map() });
  });

  test('are found by their words if the embedder cannot be reached, which is then asked no more', async () => {
    const later = [request('Read the log file', 'fs/read'), request('Please read the log file', 'fs/read')];
    expect(await find([move, moveAgain, ...later], null)).toMatchObject({
      calls: [2],
      comparedByWords: 2,
      originals: new Map([
        ['1', '0'],
        ['3', '2'],
      ]),
    });
  });

  test('are decided by the thresholds of the embedder that compared them', async () => {
    const strict = { ...duplicateThresholds, meaning: 0.95 };
    expect((await find([move, moveAgain], () => 0.8, strict)).originals.size).toBe(0);
    expect((await find([move, moveAgain], () => 0.8)).originals.size).toBe(1);
  });

  test('are found in other scripts without the embedder', async () => {
    for (const { a, b, kind, half } of scriptPairs.filter((pair) => pair.half !== 'blind')) {
      const { originals, calls } = await find([a, b], null);
      expect([a.text, half, originals.size, calls]).toEqual([a.text, half, kind === 'paraphrase' ? 1 : 0, []]);
    }
  });

  test('are those that the rule finds when it compares each with each, among labelled pairs', async () => {
    const cosines = new Map(duplicatePairs.map(({ a, b, cosine }) => [`${a.text}|${b.text}`, cosine]));
    const cosineOf = (a: string, b: string) => cosines.get(`${a}|${b}`) ?? cosines.get(`${b}|${a}`) ?? 0;
    const requests = duplicatePairs.flatMap(({ a, b }) => [a, b]);
    const { originals } = await find(requests, cosineOf);
    const missed = duplicatePairs.filter(({ a, b, cosine }, pair) => {
      const kept = [2 * pair, 2 * pair + 1].every((place) => !originals.has(String(place)));
      return kept && decideDuplicate(a, b, cosine).duplicate;
    });
    expect(missed).toEqual([]);
    for (const [id, original] of originals) {
      const [a, b] = [requests[Number(id)] ?? move, requests[Number(original)] ?? move];
      expect(decideDuplicate(a, b, cosineOf(a.text, b.text)).duplicate).toBe(true);
    }
  });

  test('are gone after one pass: what is kept has no near-duplicate among its words', async () => {
    const word = fc.constantFrom('letter', 'invoice', 'archive', 'photo', 'summary', 'garden', 'road');
    const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => `Find the ${words.join(' and the ')}`);
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 12 }), async (texts) => {
        const requests = texts.map((each) => request(each, 'fs/find'));
        const { originals } = await find(requests, () => 0.9);
        const kept = requests.filter((_, place) => !originals.has(String(place)));
        expect((await find(kept, () => 0.9)).originals.size).toBe(0);
        for (const original of originals.values()) expect(originals.has(original)).toBe(false);
      }),
    );
  });
});

describe('the index of requests', () => {
  const sketch = (text: string, ...tools: string[]) => sketchRequest(request(text, ...tools));

  test('finds those with the most words in common first, and none without any', () => {
    const index = new RequestIndex();
    for (const text of ['Water the garden', 'Water the roses in the garden', 'Sell the car'])
      index.addRequestAndReturnNumber(sketch(text, 'a/b'));
    expect(index.findNearestRequestNumbers(sketch('Water all roses in the garden', 'a/b'), 5)).toEqual([1, 0]);
    expect(index.findNearestRequestNumbers(sketch('Water all roses in the garden', 'a/b'), 1)).toEqual([1]);
  });

  test('leaves out requests with other tools and other words', () => {
    const index = new RequestIndex();
    index.addRequestAndReturnNumber(
      sketch('Water the flowers, then send Anna the invoice for the paint by mail', 'a/c'),
    );
    index.addRequestAndReturnNumber(sketch('Water the garden', 'a/d'));
    expect(index.findNearestRequestNumbers(sketch('Water the garden', 'a/b'), 5)).toEqual([1]);
  });

  test('finds requests that have nothing but words without content', () => {
    const index = new RequestIndex();
    index.addRequestAndReturnNumber(sketch('Please do it', 'a/b'));
    expect(index.findNearestRequestNumbers(sketch('Could you do this?', 'a/b'), 5)).toEqual([0]);
  });

  test('finds what a rare word says among 3,000 requests that share all others', () => {
    const index = new RequestIndex();
    for (let n = 0; n < 3_000; n += 1) index.addRequestAndReturnNumber(sketch(`Water plant ${n}`, 'a/b'));
    expect(index.findNearestRequestNumbers(sketch('Water plant 7', 'a/b'), 1)).toEqual([7]);
  });
});
