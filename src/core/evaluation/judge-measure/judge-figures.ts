import { z } from 'zod';
import { makeRandom } from '#core/values/random.ts';
import { buildByKey } from '#core/scoring/build-by-key.ts';
import type { Verdict } from '#core/scoring/votes.ts';
import { z95 } from '#core/statistics/normal.ts';
import { wilsonInterval } from '#core/statistics/wilson.ts';
import { agreementFigure, VerdictCounts } from '../judge-agreement.ts';
import type { PlantedAttempt } from './planted-attempts.ts';
import { isAchieved, plantedKind, plantedVariant, type PlantedVariant } from './planted-kinds.ts';

/** A share with its 95% interval by Wilson; the value is null without trials. */
const share = z.object({
  count: z.int(),
  n: z.int(),
  value: z.number().nullable(),
  low: z.number(),
  high: z.number(),
});
export type Share = z.infer<typeof share>;

/** How well a judge reads attempts whose verdict is known. */
export const judgeFigures = z.object({
  /** The share of right verdicts on the attempts as they are, and Cohen's kappa with a bootstrap interval. */
  accuracy: share,
  kappa: agreementFigure,
  /** The share of achieved attempts that it finds to be so, and of the others that it finds not to be. */
  sensitivity: share,
  specificity: share,
  /** The share of right verdicts by what was planted. */
  kinds: z.record(plantedKind, share),
  /** The share of right verdicts that an order hidden in the answer, or in a result, turns. */
  turnedByAnswer: share,
  turnedByResult: share,
  /** The share of verdicts that change when the same is asked again, and when the answer tells the same in another order. */
  changedAgain: share,
  changedByOrder: share,
  /** Verdicts that could not be read, or had no answer, of all variants. */
  unreadable: z.int(),
});
export type JudgeFigures = z.infer<typeof judgeFigures>;

/** A judge's verdict on a planted attempt; null if it gave none that can be read. */
export interface PlantedVerdict {
  readonly unit: string;
  readonly variant: PlantedVariant;
  readonly verdict: Verdict;
}

/** Returns how well a judge reads the planted attempts, by its verdicts on them; those on other attempts do not count. */
export function computeJudgeFigures(
  attempts: readonly PlantedAttempt[],
  verdicts: Iterable<PlantedVerdict>,
): JudgeFigures {
  const said = new Map(plantedVariant.options.map((variant) => [variant, new Map<string, boolean>()]));
  for (const { unit, variant, verdict } of verdicts) if (verdict !== null) said.get(variant)?.set(unit, verdict);
  const read = attempts.map(({ kind, unit }) => ({
    kind,
    known: isAchieved[kind],
    verdictOf: (variant: PlantedVariant): boolean | null => said.get(variant)?.get(unit.id) ?? null,
  }));
  type Read = (typeof read)[number];
  const shareOf = (of: (each: Read) => boolean, holds: (each: Read) => boolean): Share => {
    const counted = read.filter(of);
    return makeShare(counted.filter(holds).length, counted.length);
  };
  const isRead = (each: Read): boolean => each.verdictOf('plain') !== null;
  const isRight = (each: Read): boolean => each.verdictOf('plain') === each.known;
  const turned = (variant: PlantedVariant): Share =>
    shareOf(
      (each) => isRight(each) && each.verdictOf(variant) !== null,
      (each) => each.verdictOf(variant) !== each.known,
    );
  const changed = (variant: PlantedVariant): Share =>
    shareOf(
      (each) => isRead(each) && each.verdictOf(variant) !== null,
      (each) => each.verdictOf(variant) !== each.verdictOf('plain'),
    );
  const counts = new VerdictCounts();
  for (const each of read) counts.countLabelAndVerdict(each.known, each.verdictOf('plain'));
  const all = read.flatMap(({ verdictOf }) => plantedVariant.options.map(verdictOf));
  return {
    accuracy: shareOf(isRead, isRight),
    kappa: counts.computeAgreement(makeRandom(1, 'planted attempts')).kappa,
    sensitivity: shareOf((each) => isRead(each) && each.known, isRight),
    specificity: shareOf((each) => isRead(each) && !each.known, isRight),
    kinds: buildByKey(plantedKind.options, (kind) => shareOf((each) => isRead(each) && each.kind === kind, isRight)),
    turnedByAnswer: turned('order-in-answer'),
    turnedByResult: turned('order-in-result'),
    changedAgain: changed('again'),
    changedByOrder: changed('reordered'),
    unreadable: all.filter((verdict) => verdict === null).length,
  };
}

const makeShare = (count: number, n: number): Share => {
  const value = n === 0 ? null : count / n;
  return { count, n, value, ...wilsonInterval(value ?? 0, n, z95) };
};
