import { characterSimilarity, contentSimilarity } from '#core/similarity/content.ts';
import { readEntities } from '#core/similarity/entities.ts';
import { decideDuplicate, duplicateThresholds, type DuplicateThresholds } from '#core/similarity/near-duplicates.ts';
import type { LabelledPair } from './duplicate-pairs.ts';

/** How well a rule finds duplicates. */
export interface Quality {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

const isDuplicate = ({ kind }: LabelledPair): boolean => kind === 'paraphrase';

export function qualityOf(
  pairs: readonly LabelledPair[],
  decide: (pair: LabelledPair) => boolean = ({ a, b, cosine }) => decideDuplicate(a, b, cosine).duplicate,
): Quality {
  const decided = pairs.filter(decide);
  const right = decided.filter(isDuplicate).length;
  const wanted = pairs.filter(isDuplicate).length;
  const precision = right / Math.max(1, decided.length);
  const recall = right / Math.max(1, wanted);
  return { precision, recall, f1: (2 * right) / Math.max(1, decided.length + wanted) };
}

/**
 * Returns the thresholds with the best F1 over a grid of hundredths. Among thresholds that differ by about a pair, it
 * takes the middle, because the single best one is an accident of the available pairs.
 */
export function calibrate(pairs: readonly LabelledPair[]): DuplicateThresholds {
  const english = pairs.filter(({ language }) => language === 'en').map(measured);
  const chinese = pairs.filter(({ language }) => language === 'zh').map(measured);
  return {
    ...duplicateThresholds,
    meaning: best(hundredths, english, (least, pair) => pair.meaning >= least),
    characters: best(hundredths, chinese, (least, pair) => pair.characters >= least),
  };
}

const tolerance = 0.01;
const hundredths = Array.from({ length: 100 }, (_, i) => i / 100);

interface Measured {
  readonly duplicate: boolean;
  /** Whether the rule would accept it as a duplicate if it were similar enough. */
  readonly open: boolean;
  readonly meaning: number;
  readonly characters: number;
}

function measured(pair: LabelledPair): Measured {
  const { a, b, cosine } = pair;
  const anyDistance = { ...duplicateThresholds, meaning: -1, characters: 0 };
  const [left, right] = [readEntities(a.text), readEntities(b.text)];
  return {
    duplicate: isDuplicate(pair),
    open: decideDuplicate(a, b, cosine, anyDistance).duplicate,
    meaning: (cosine + contentSimilarity(left, right)) / 2,
    characters: characterSimilarity(left, right),
  };
}

function best<P>(points: readonly P[], pairs: readonly Measured[], near: (point: P, pair: Measured) => boolean): P {
  const open = pairs.filter((pair) => pair.open);
  const wanted = pairs.filter(({ duplicate }) => duplicate).length;
  const scored = points.map((point) => {
    const decided = open.filter((pair) => near(point, pair));
    return { point, f1: (2 * decided.filter(({ duplicate }) => duplicate).length) / (decided.length + wanted) };
  });
  const highest = Math.max(...scored.map(({ f1 }) => f1));
  const asGood = scored.filter(({ f1 }) => f1 >= highest - tolerance);
  const middle = asGood[Math.floor(asGood.length / 2)];
  if (middle === undefined) throw new Error('nothing to calibrate on');
  return middle.point;
}
