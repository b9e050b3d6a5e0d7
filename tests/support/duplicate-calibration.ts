import { chooseThreshold } from '#core/similarity/calibrate-embedder.ts';
import { characterSimilarity } from '#core/similarity/content.ts';
import { extractEntitiesAndRest } from '#core/similarity/entities.ts';
import { decideDuplicate, duplicateThresholds } from '#core/similarity/near-duplicates.ts';
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

/** Returns the threshold for characters that suits the Chinese ones among some pairs best. */
export function calibrateCharacters(pairs: readonly LabelledPair[]): number {
  const chinese = pairs.filter(({ language }) => language === 'zh');
  const measured = chinese.map((pair) => {
    const { a, b, cosine } = pair;
    const open = decideDuplicate(a, b, cosine, { ...duplicateThresholds, characters: 0 }).duplicate;
    const likeness = characterSimilarity(extractEntitiesAndRest(a.text), extractEntitiesAndRest(b.text));
    return { duplicate: isDuplicate(pair), open, likeness };
  });
  return chooseThreshold(measured).threshold;
}
