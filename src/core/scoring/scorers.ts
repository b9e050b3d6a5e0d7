import { ar } from './ar.ts';
import { byKey } from './by-key.ts';
import { ecg } from './ecg.ts';
import { execution } from './execution.ts';
import { mtc } from './mtc.ts';
import { pass } from './pass.ts';
import type { AttemptScorer, Scorer } from './scorer.ts';
import { tcs } from './tcs.ts';
import { tfd } from './tfd.ts';
import { uic } from './uic.ts';

/**
 * All scorers, in the order in which they are shown. Nothing else lists them: results, breakdowns, files, pages, orders of leaderboards,
 * tables of the client and the API's document are made of this table.
 */
const table = [execution, mtc, tcs, pass, ar, uic, tfd, ecg] as const satisfies readonly Scorer[];

type Listed = (typeof table)[number];
export type ScorerKey = Listed['key'];
/** The scorers that each attempt has a score of; the others have one for a case as a whole. */
export type AttemptScorerKey = Extract<Listed, { readonly unit: 'attempt' }>['key'];

export const scorers: readonly (Scorer & { readonly key: ScorerKey })[] = table;
export const scorerKeys: readonly ScorerKey[] = table.map(({ key }) => key);

export const attemptScorers: readonly AttemptScorer<AttemptScorerKey>[] = table.filter(
  (scorer) => scorer.unit === 'attempt',
);
export const attemptScorerKeys: readonly AttemptScorerKey[] = attemptScorers.map(({ key }) => key);

/** Something for each scorer. */
export const byScorer = <T>(of: (key: ScorerKey) => T): Record<ScorerKey, T> => byKey(scorerKeys, of);

/** Something for each scorer of attempts. */
export const byAttemptScorer = <T>(of: (key: AttemptScorerKey) => T): Record<AttemptScorerKey, T> =>
  byKey(attemptScorerKeys, of);

const scorerByKey = new Map<string, Scorer & { readonly key: ScorerKey }>(scorers.map((each) => [each.key, each]));

/** The scorer of a key. */
export function scorerOf(key: string): Scorer & { readonly key: ScorerKey } {
  const found = scorerByKey.get(key);
  if (found === undefined) throw new Error(`there is no scorer ${key}`);
  return found;
}

/** What agents are ordered by where nobody says otherwise. */
export const headline: ScorerKey = execution.key;

/** Whether an attempt achieved what it was to: what pass@k and pass^k are taken of. */
export const success: AttemptScorerKey = pass.key;

/** Whether the traces of attempts are enough for a score, without any judge. */
export const isRecomputable = ({ needs }: Pick<Scorer, 'needs'>): boolean => !needs.includes('judge');

/** The scorers that anybody can recompute from traces, and those that need a judge. */
export const recomputable = scorers.filter(isRecomputable);
export const graded = scorers.filter((scorer) => !isRecomputable(scorer));

/** What a scorer is called where its values are compared: where those near 0 are best, it is the absolute ones. */
export const comparedTitle = ({ title, direction }: Pick<Scorer, 'title' | 'direction'>): string =>
  direction === 'zero' ? `|${title}|` : title;

/** Scorers by their titles: `TCS, MTC and TFD`. */
export const titlesOf = (of: readonly Pick<Scorer, 'title'>[]): string =>
  new Intl.ListFormat('en-GB').format(of.map(({ title }) => title));
