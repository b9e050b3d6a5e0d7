import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calibrateEmbedder } from '#core/similarity/calibrate-embedder.ts';
import {
  decideDuplicate,
  duplicateThresholds,
  expectedRequestOfUnit,
  type DuplicateVerdict,
} from '#core/similarity/near-duplicates.ts';
import { calibrateCharacters, qualityOf } from '../../support/duplicate-calibration.ts';
import { duplicatePairs, type LabelledPair } from '../../support/duplicate-pairs.ts';
import { startSentenceModel } from '../../support/sentence-model.ts';

const inHalf = (half: LabelledPair['half']) => duplicatePairs.filter((pair) => pair.half === half);
const blindPairs = inHalf('blind');
/** By the cosine alone, at the threshold that suits it best. */
const bestOfCosineAlone = (pairs: readonly LabelledPair[]): number =>
  Math.max(...Array.from({ length: 100 }, (_, i) => qualityOf(pairs, ({ cosine }) => cosine >= i / 100).f1));

describe('the near-duplicate rule on labelled pairs', () => {
  test('has enough pairs of each kind, in both languages and both halves', () => {
    const counts = Map.groupBy(
      [...inHalf('calibration'), ...inHalf('report')],
      ({ language, kind, half }) => `${language} ${kind} ${half}`,
    );
    expect(counts.size).toBe(16);
    for (const [kind, { length }] of counts) expect([kind, length >= 5]).toEqual([kind, true]);
    expect(duplicatePairs.filter(({ language }) => language === 'en').length).toBeGreaterThanOrEqual(130);
    expect(duplicatePairs.filter(({ language }) => language === 'zh').length).toBeGreaterThanOrEqual(60);
    expect(new Set(duplicatePairs.map(({ id }) => id)).size).toBe(duplicatePairs.length);
    expect(new Set(duplicatePairs.map(({ a, b }) => `${a.text}|${b.text}`)).size).toBe(duplicatePairs.length);
  });

  test('has the thresholds that the calibration half gives', () => {
    const calibration = inHalf('calibration');
    for (const [source, pairs] of Map.groupBy(calibration, (pair) => pair.source))
      console.log(`calibration half, ${source}: ${pairs.length} pairs`, qualityOf(pairs));
    const cosines = new Map(calibration.map(({ a, b, cosine }) => [`${a.text}|${b.text}`, cosine]));
    const { meaning } = calibrateEmbedder('offline', (a, b) => cosines.get(`${a}|${b}`) ?? null);
    const characters = calibrateCharacters(calibration);
    expect({ ...duplicateThresholds, meaning, characters }).toEqual(duplicateThresholds);
  });

  test.each([
    ['all', ['en', 'zh']],
    ['English', ['en']],
    ['Chinese', ['zh']],
  ])('reaches its precision and recall on the other half: %s', (what, languages) => {
    const pairs = inHalf('report').filter(({ language }) => languages.includes(language));
    const quality = qualityOf(pairs);
    const alone = bestOfCosineAlone(pairs);
    console.log(`report half, ${what}: ${pairs.length} pairs`, { ...quality, f1OfCosineAlone: alone });
    expect(quality.precision).toBeGreaterThanOrEqual(0.9);
    expect(quality.recall).toBeGreaterThanOrEqual(0.85);
    expect(quality.f1).toBeGreaterThan(alone);
  });

  test('reaches its precision and recall on blind pairs', () => {
    const quality = qualityOf(blindPairs);
    const alone = bestOfCosineAlone(blindPairs);
    console.log(`blind: ${blindPairs.length} pairs`, { ...quality, f1OfCosineAlone: alone });
    for (const [language, pairs] of Map.groupBy(blindPairs, (pair) => pair.language))
      console.log(`blind, ${language}: ${pairs.length} pairs`, qualityOf(pairs));
    expect(quality.f1).toBeGreaterThan(alone);
  });

  test('is symmetric', () => {
    for (const { id, a, b, cosine } of duplicatePairs)
      expect([id, decideDuplicate(b, a, cosine).duplicate]).toEqual([id, decideDuplicate(a, b, cosine).duplicate]);
  });

  test('calls a request a duplicate of itself', () => {
    for (const { a } of duplicatePairs)
      expect(decideDuplicate(a, a, 1)).toEqual({ duplicate: true, reason: 'duplicate' });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decideDuplicate({ text, tools: ['a'] }, { text, tools: ['a'] }, 1).duplicate).toBe(true);
      }),
      { examples: [['\u30fc\u{233d5}\u{10cc5}\u{1d8e1}']] },
    );
  });

  test('uses the cosines of the sentence model', async () => {
    const model = await startSentenceModel();
    for (const { a, b, cosine } of duplicatePairs.filter((_, i) => i % 40 === 0))
      expect(await model.cosine(a.text, b.text)).toBeCloseTo(cosine, 3);
  });
});

describe('the decision on a pair', () => {
  const request = (text: string, ...tools: string[]) => ({ text, tools });
  test.each<
    [what: string, a: [string, ...string[]], b: [string, ...string[]], cosine: number, verdict: DuplicateVerdict]
  >([
    [
      'the same in other words',
      ['Move letter.md into the archive', 'fs/move'],
      ['Please put letter.md into archive', 'fs/move'],
      0.8,
      { duplicate: true, reason: 'duplicate' },
    ],
    [
      'another meaning',
      ['Move the letter into the archive', 'fs/move'],
      ['Rename the photos by date', 'fs/move'],
      0.3,
      { duplicate: false, reason: 'too-far' },
    ],
    [
      'other tools, and other words',
      ['Look into the drafts folder and move the oldest letter away', 'fs/list', 'fs/move'],
      ['Look into the drafts folder: how large is each letter?', 'fs/list', 'fs/info'],
      0.85,
      { duplicate: false, reason: 'other-tools-and-words' },
    ],
    [
      'other tools, and the same words',
      ['Add the task to the plan for the party', 'plan/new'],
      ['Please add the task to the plan for the party', 'plan/add'],
      0.95,
      { duplicate: true, reason: 'duplicate' },
    ],
    [
      'the same tools in another order',
      ['Read the log and count its lines', 'fs/read', 'calc/count'],
      ['Count the lines of the log', 'calc/count', 'fs/read'],
      0.8,
      { duplicate: true, reason: 'duplicate' },
    ],
    [
      'another file',
      ['Move letter.md into the archive', 'fs/move'],
      ['Move menu.md into the archive', 'fs/move'],
      0.95,
      { duplicate: false, reason: 'entity-differs', entity: 'letter.md' },
    ],
    [
      'another matter, which no capital marks',
      ['Write a letter to the landlord about the heating', 'fs/write'],
      ['Write a letter to the landlord about the deposit', 'fs/write'],
      0.9,
      { duplicate: false, reason: 'entity-differs', entity: 'heat' },
    ],
    [
      'the opposite',
      ['Add the installation to the readme', 'fs/edit'],
      ['Remove the installation from the readme', 'fs/edit'],
      0.9,
      { duplicate: false, reason: 'another-action' },
    ],
    [
      'the way back',
      ['Move 60 euros from savings to rent', 'bank/transfer'],
      ['Move 60 euros out of rent into savings', 'bank/transfer'],
      0.9,
      { duplicate: false, reason: 'another-action' },
    ],
    [
      'the same way, worded the other way round',
      ['How many miles are in 42 km?', 'units/convert'],
      ['Convert 42 kilometres to miles', 'units/convert'],
      0.6,
      { duplicate: true, reason: 'duplicate' },
    ],
    [
      'another question',
      ['Who leads the choir?', 'memory/search'],
      ['Where does the choir sing?', 'memory/search'],
      0.9,
      { duplicate: false, reason: 'another-action' },
    ],
    [
      'a name in Chinese, where any two texts have cosine 1',
      ['请记住李娜在华为工作。', 'memory/create'],
      ['请记住王芳在华为工作。', 'memory/create'],
      1,
      { duplicate: false, reason: 'entity-differs', entity: '李娜' },
    ],
    [
      'another matter in Chinese',
      ['红烧肉怎么做?', 'recipes/by-id'],
      ['附近有什么好玩的地方?', 'recipes/by-id'],
      1,
      { duplicate: false, reason: 'too-far' },
    ],
    [
      'the same in Chinese, whatever the cosine',
      ['按消费金额给客户分组。', 'customers/segment'],
      ['请根据客户的消费金额把客户分组。', 'customers/segment'],
      0,
      { duplicate: true, reason: 'duplicate' },
    ],
  ])('is right for %s', (_what, a, b, cosine, verdict) => {
    expect(decideDuplicate(request(...a), request(...b), cosine)).toEqual(verdict);
  });

  test('uses the first request and the chain of a unit', () => {
    expect(expectedRequestOfUnit({ source: 'Read it', chain: ['fs/read'] })).toEqual({
      text: 'Read it',
      tools: ['fs/read'],
    });
  });
});
