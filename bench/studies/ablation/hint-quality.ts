import { makeSchemaHint } from '#core/exploration/hint/schema-hint.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { wholeNumberText } from '../../../client/command-line/text.ts';
import { alignColumns } from '../../shared/aligned.ts';

/** How well the schema hint distinguishes pairs of tools that followed each other from the others. */

/** A transition of an exploration. */
export interface ToldTransition {
  readonly from: string;
  readonly to: string;
  /** How often it was executed; 0 if it was only expected, which counts for nothing. */
  readonly executed: number;
  /** How often a value of an earlier result was an argument of the later call. */
  readonly valuePassed: number;
}

/**
 * What the hint is compared with: all executed pairs, or only those in which a value passed. A pair that was not
 * executed may still be possible.
 */
export type Truth = 'executed' | 'valuePassed';

/** The relation of the servers of a pair's tools. */
export type Relation = 'any' | 'server' | 'domain' | 'cross';

/** The pairs with at least a threshold score. */
export interface LevelQuality {
  /** 0..1 */
  readonly threshold: number;
  readonly flagged: number;
  /** The share of flagged pairs that are true: 0..1. */
  readonly precision: number;
  /** The share of true pairs that are flagged, 0..1; null if none is true. */
  readonly recall: number | null;
  /** Precision divided by the share of true pairs among all: 1 is chance; null if none is true. */
  readonly lift: number | null;
}

export interface TruthQuality {
  readonly truth: Truth;
  /** From the fewest flagged pairs to the most. */
  readonly levels: readonly LevelQuality[];
  readonly relations: readonly {
    readonly relation: Relation;
    readonly pairs: number;
    readonly trues: number;
    /**
     * How often a true pair scores higher than a false one, ties counting half: 0..1; null if one of them is missing.
     */
    readonly auc: number | null;
  }[];
}

/** Minimum shares of all pairs that the levels flag; all pairs with equal scores are included. */
const flaggedParts = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5];

interface Pair {
  readonly score: number;
  readonly relation: Relation;
  readonly executed: boolean;
  readonly valuePassed: boolean;
}

/**
 * Scores all pairs of different tools and compares them. Takes memory for each pair, so it works for up to about a
 * thousand tools.
 */
export function measureHintQuality(tools: readonly Tool[], told: readonly ToldTransition[]): TruthQuality[] {
  const pairs = scoreToolPairs(tools, told).toSorted((one, other) => other.score - one.score);
  return (['executed', 'valuePassed'] as const).map((truth) => ({
    truth,
    levels: measureAtThresholds(pairs, truth),
    relations: (['any', 'server', 'domain', 'cross'] as const).map((relation) => {
      const related = relation === 'any' ? pairs : pairs.filter((pair) => pair.relation === relation);
      return {
        relation,
        pairs: related.length,
        trues: countTruePairs(related, truth),
        auc: computeAucOfSorted(related, truth),
      };
    }),
  }));
}

function scoreToolPairs(tools: readonly Tool[], told: readonly ToldTransition[]): Pair[] {
  const hint = makeSchemaHint(tools);
  const seen = new Map<string, boolean>();
  for (const { from, to, executed, valuePassed } of told) {
    if (executed === 0) continue;
    const key = JSON.stringify([from, to]);
    seen.set(key, valuePassed > 0 || seen.get(key) === true);
  }
  return tools.flatMap((from, source) =>
    tools.flatMap((to, target) => {
      if (source === target) return [];
      const passed = seen.get(JSON.stringify([from.name, to.name]));
      return [
        {
          score: hint(source, target),
          relation: relationOf(from, to),
          executed: passed !== undefined,
          valuePassed: passed === true,
        },
      ];
    }),
  );
}

const relationOf = (from: Tool, to: Tool): Relation =>
  from.server === to.server ? 'server' : from.domain === to.domain ? 'domain' : 'cross';

const countTruePairs = (pairs: readonly Pair[], truth: Truth): number => pairs.filter((pair) => pair[truth]).length;

/** `pairs` by falling score. */
function measureAtThresholds(pairs: readonly Pair[], truth: Truth): LevelQuality[] {
  const trues = countTruePairs(pairs, truth);
  const thresholds = flaggedParts.flatMap((part) => {
    const last = pairs[Math.ceil(part * pairs.length) - 1];
    return last === undefined ? [] : [last.score];
  });
  return [...new Set(thresholds)].map((threshold) => {
    const flagged = pairs.filter(({ score }) => score >= threshold);
    const hits = countTruePairs(flagged, truth);
    const precision = hits / flagged.length;
    return {
      threshold,
      flagged: flagged.length,
      precision,
      recall: trues === 0 ? null : hits / trues,
      lift: trues === 0 ? null : precision / (trues / pairs.length),
    };
  });
}

/** The area under the ROC curve; `pairs` by falling score. */
function computeAucOfSorted(pairs: readonly Pair[], truth: Truth): number | null {
  const trues = countTruePairs(pairs, truth);
  const others = pairs.length - trues;
  if (trues === 0 || others === 0) return null;
  let won = 0;
  let othersBelow = others;
  for (let start = 0; start < pairs.length;) {
    let end = start;
    while (pairs[end]?.score === pairs[start]?.score && end < pairs.length) end += 1;
    const tied = pairs.slice(start, end);
    const tiedTrues = countTruePairs(tied, truth);
    const tiedOthers = tied.length - tiedTrues;
    othersBelow -= tiedOthers;
    won += tiedTrues * (othersBelow + tiedOthers / 2);
    start = end;
  }
  return won / (trues * others);
}

/** The figures as tables for people. */
export const hintQualityLines = (qualities: readonly TruthQuality[]): string[] =>
  qualities.flatMap(({ truth, levels, relations }) => [
    `Against ${truth === 'executed' ? 'all transitions that executed' : 'those in which a value passed'}:`,
    ...alignColumns([
      ['pairs of', 'pairs', 'true', 'AUC'],
      ...relations.map(({ relation, pairs, trues, auc }) => [
        relation,
        wholeNumberText(pairs),
        wholeNumberText(trues),
        decimalsOrHyphen(auc),
      ]),
    ]),
    ...alignColumns([
      ['score from', 'flagged', 'precision', 'recall', 'lift'],
      ...levels.map(({ threshold, flagged, precision, recall, lift }) => [
        decimalsOrHyphen(threshold),
        wholeNumberText(flagged),
        decimalsOrHyphen(precision),
        decimalsOrHyphen(recall),
        decimalsOrHyphen(lift),
      ]),
    ]),
  ]);

const decimalsOrHyphen = (value: number | null): string => (value === null ? '-' : value.toFixed(2));
