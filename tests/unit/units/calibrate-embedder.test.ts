import { describe, expect, test } from 'vitest';
import {
  calibrateEmbedder,
  listCalibrationTexts,
  makeOfflineEmbedderCalibration,
  thresholdsOfCalibration,
} from '#core/similarity/calibrate-embedder.ts';
import { parseBundledCalibrationPairs } from '#core/similarity/calibrate-embedder.ts';
import { chooseThreshold } from '#core/similarity/calibrate-embedder.ts';
import { decideDuplicate, duplicateThresholds } from '#core/similarity/near-duplicates.ts';
import { makeRandom } from '#core/values/random.ts';
import { duplicatePairs } from '../../support/duplicate-pairs.ts';

const cosines = new Map(parseBundledCalibrationPairs().map(({ a, b, cosine }) => [`${a.text}|${b.text}`, cosine]));
const known = (a: string, b: string): number => cosines.get(`${a}|${b}`) ?? 0;

describe('the calibration of an embedder', () => {
  test('keeps the thresholds for the offline embedder', () => {
    const calibration = calibrateEmbedder('offline', known);
    expect(thresholdsOfCalibration(calibration)).toEqual(duplicateThresholds);
    const rounded = (value: number) => Math.round(value * 1000) / 1000;
    expect({ ...calibration, f1: rounded(calibration.f1), f1ByWords: rounded(calibration.f1ByWords) }).toEqual(
      makeOfflineEmbedderCalibration('offline'),
    );
  });

  test('follows an embedder whose cosines are all higher, and decides as for one whose are not', () => {
    const calibration = calibrateEmbedder('high', (a, b) => known(a, b) + 0.2);
    expect(calibration).toMatchObject({ separates: true });
    expect(calibration.meaning).toBeCloseTo(duplicateThresholds.meaning + 0.1, 2);
    // With the thresholds of another embedder it would take other requests for duplicates.
    const report = duplicatePairs.filter(({ language, half }) => language === 'en' && half === 'report');
    const mistakes = (thresholds: typeof duplicateThresholds) =>
      report.filter(
        ({ a, b, cosine, kind }) => decideDuplicate(a, b, cosine + 0.2, thresholds).duplicate && kind !== 'paraphrase',
      ).length;
    expect(mistakes(thresholdsOfCalibration(calibration))).toBeLessThan(mistakes(duplicateThresholds));
  });

  test.each<[string, () => (a: string, b: string) => number | null]>([
    ['gives all texts the same vector', () => () => 1],
    ['gives vectors without a direction', () => () => null],
    [
      'gives random vectors',
      () => {
        const random = makeRandom(7, 'vectors');
        return () => random.next();
      },
    ],
    ['knows only the script of a text', () => () => 0.93],
    ['calls the opposite alike', () => (a, b) => 1 - known(a, b)],
  ])('says that an embedder does not separate the pairs if it %s', (_what, make) => {
    const calibration = calibrateEmbedder('bad', make());
    expect(calibration.separates).toBe(false);
    expect(calibration.f1).toBeLessThan(calibration.f1ByWords + 0.005);
  });

  test('needs each text once', () => {
    const texts = listCalibrationTexts();
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.length).toBeGreaterThan(300);
    expect(texts.every((text) => text !== '')).toBe(true);
  });
});

describe('a threshold', () => {
  test('lies in the middle of those that are about equally good', () => {
    const pair = (likeness: number, duplicate: boolean) => ({ likeness, duplicate, open: true });
    expect(chooseThreshold([pair(0.2, false), pair(0.6, true)])).toEqual({ threshold: 0.41, f1: 1 });
  });

  test('does not look at pairs that something else tells apart', () => {
    const pairs = [
      { likeness: 0.9, duplicate: false, open: false },
      { likeness: 0.4, duplicate: true, open: true },
    ];
    expect(chooseThreshold(pairs).f1).toBe(1);
  });
});
