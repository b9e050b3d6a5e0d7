import pairs from './calibration-pairs.json' with { type: 'json' };
import { z } from 'zod';
import { contentSimilarity } from './content.ts';
import { extractEntitiesAndRest } from './entities.ts';
import { type DuplicateThresholds, decideDuplicate, duplicateThresholds } from './near-duplicates.ts';

/** A labelled pair that has been measured. */
interface MeasuredPair {
  readonly duplicate: boolean;
  /** Whether the rule would accept it as a duplicate if it were similar enough. */
  readonly open: boolean;
  readonly likeness: number;
}

interface ChosenThreshold {
  /** In hundredths, 0..1. */
  readonly threshold: number;
  /** The F1 at the best threshold: 0..1. */
  readonly f1: number;
}

const tolerance = 0.01;
const hundredths = Array.from({ length: 101 }, (_, n) => n / 100);

/**
 * Returns the least likeness of duplicates with the best F1. Among thresholds that differ by about a pair, it takes the
 * middle, because the single best one is an accident of the available pairs.
 */
export function chooseThreshold(pairs: readonly MeasuredPair[]): ChosenThreshold {
  const open = pairs.filter((pair) => pair.open);
  const wanted = pairs.filter(({ duplicate }) => duplicate).length;
  const scored = hundredths.map((threshold) => {
    const decided = open.filter(({ likeness }) => likeness >= threshold);
    const right = decided.filter(({ duplicate }) => duplicate).length;
    return { threshold, f1: (2 * right) / Math.max(1, decided.length + wanted) };
  });
  const f1 = Math.max(...scored.map((each) => each.f1));
  const asGood = scored.filter((each) => each.f1 >= f1 - tolerance);
  return { threshold: asGood[Math.floor(asGood.length / 2)]?.threshold ?? 1, f1 };
}

/** Two requests in English as users of tool servers write them, and whether they ask for the same. */
export const labelledRequests = z.object({
  id: z.string(),
  /** `paraphrase` asks for the same; `same-topic`, `entity-swapped` and `unrelated` do not. */
  kind: z.enum(['paraphrase', 'same-topic', 'entity-swapped', 'unrelated']),
  /** By the author of the rule, or by somebody who knew neither the rule nor the other pairs. */
  source: z.enum(['author', 'blind']).default('author'),
  a: z.object({ text: z.string(), tools: z.array(z.string()) }),
  b: z.object({ text: z.string(), tools: z.array(z.string()) }),
  /** Cosine of the two texts' vectors from the offline embedder's model. */
  cosine: z.number(),
});
type LabelledRequests = z.infer<typeof labelledRequests>;

/** Returns the labelled pairs on which thresholds are calibrated; other labelled pairs measure the result. */
export const parseBundledCalibrationPairs = (): LabelledRequests[] => z.array(labelledRequests).parse(pairs);

/** How well the vectors of an embedder tell labelled pairs apart, and from which likeness on two requests are duplicates. */
export const embedderCalibration = z.object({
  model: z.string(),
  /** The threshold for the mean of cosine and common content. */
  meaning: z.number().min(0).max(1),
  /** The rule's F1 on the labelled pairs, with the vectors and by words alone, each at its best threshold. */
  f1: z.number().min(0).max(1),
  f1ByWords: z.number().min(0).max(1),
  /** Whether the vectors improve on the words. If not, units are compared by their words. */
  separates: z.boolean(),
});
export type EmbedderCalibration = z.infer<typeof embedderCalibration>;

/** What the vectors must add to the F1: about one of the labelled pairs. */
const leastGain = 0.005;

/** Returns the texts whose vectors calibrating needs, each once. */
export const listCalibrationTexts = (): string[] => [
  ...new Set(parseBundledCalibrationPairs().flatMap(({ a, b }) => [a.text, b.text])),
];

/**
 * Calibrates the near-duplicate rule for an embedder on 188 labelled pairs of requests in English. `cosineOf` gives the
 * cosine of two of the calibration texts; null counts as 0. The other thresholds do not depend on vectors.
 */
export function calibrateEmbedder(
  model: string,
  cosineOf: (a: string, b: string) => number | null,
): EmbedderCalibration {
  const measured = parseBundledCalibrationPairs().map(({ kind, a, b }) => {
    const content = contentSimilarity(extractEntitiesAndRest(a.text), extractEntitiesAndRest(b.text));
    const open = decideDuplicate(a, b, 0, { ...duplicateThresholds, meaning: -1 }).duplicate;
    return { duplicate: kind === 'paraphrase', open, content, cosine: cosineOf(a.text, b.text) ?? 0 };
  });
  const choose = (likenessOf: (pair: (typeof measured)[number]) => number) =>
    chooseThreshold(measured.map((pair): MeasuredPair => ({ ...pair, likeness: likenessOf(pair) })));
  const { threshold, f1 } = choose(({ content, cosine }) => (cosine + content) / 2);
  const { f1: f1ByWords } = choose(({ content }) => content);
  return { model, meaning: threshold, f1, f1ByWords, separates: f1 >= f1ByWords + leastGain };
}

/** Returns the calibration of the offline embedder, whose cosines are those of the labelled pairs; a test holds it. */
export const makeOfflineEmbedderCalibration = (model: string): EmbedderCalibration => ({
  model,
  meaning: duplicateThresholds.meaning,
  f1: 0.945,
  f1ByWords: 0.926,
  separates: true,
});

/** Says of an embedder that does not separate the labelled pairs why its vectors are not used. */
export const makeUnfitEmbedderProblem = ({ model, f1, f1ByWords }: EmbedderCalibration) => ({
  code: 'embedder-unfit',
  detail: `${model} does not tell labelled requests apart: F1 ${f1.toFixed(3)} with its vectors, ${f1ByWords.toFixed(3)} by words alone; units are compared by their words, with the built-in threshold ${duplicateThresholds.words}`,
});

/** Returns the thresholds of the near-duplicate rule for a calibrated embedder. */
export const thresholdsOfCalibration = ({ meaning }: EmbedderCalibration): DuplicateThresholds => ({
  ...duplicateThresholds,
  meaning,
});
