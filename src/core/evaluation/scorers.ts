import {
  protocols,
  type HeadlineKey,
  type ListedScorer,
  type ScorerKey,
} from '#core/benchmarks/protocols/protocols.ts';
export type { HeadlineKey, ScorerKey, VerdictKey } from '#core/benchmarks/protocols/protocols.ts';
import { buildByKey } from '#core/scoring/build-by-key.ts';
import type { AttemptScorer, Scorer } from '#core/scoring/scorer.ts';

/**
 * All scorers: those that a protocol asks for, once each, in the order of the protocols. Results, breakdowns, files, pages, leaderboard
 * orders, the client's tables and the API's document are built from them.
 */
const table: readonly ListedScorer[] = [...new Set(protocols.flatMap((protocol) => protocol.scorers))];

/** The scorers with a score for each attempt; the others score a case as a whole. */
export type AttemptScorerKey = Extract<ListedScorer, { readonly unit: 'attempt' }>['key'];

export const scorers: readonly (Scorer & { readonly key: ScorerKey })[] = table;
export const scorerKeys: readonly ScorerKey[] = table.map(({ key }): ScorerKey => key);

/** The parts of all scores that are figures, in display order. */
export const scoreParts = scorers.flatMap(({ key: scorer, title: scorerTitle, unit, parts }) =>
  parts.map((part) => ({ scorer, scorerTitle, unit, ...part })),
);

export const attemptScorers: readonly AttemptScorer<AttemptScorerKey>[] = table.filter(
  (scorer) => scorer.unit === 'attempt',
);
export const attemptScorerKeys: readonly AttemptScorerKey[] = attemptScorers.map(({ key }) => key);

/** Builds a value for each scorer. */
export const buildRecordByScorer = <T>(build: (key: ScorerKey) => T): Record<ScorerKey, T> =>
  buildByKey(scorerKeys, build);

/** Builds a value for each scorer of attempts. */
export const buildRecordByAttemptScorer = <T>(build: (key: AttemptScorerKey) => T): Record<AttemptScorerKey, T> =>
  buildByKey(attemptScorerKeys, build);

const scorersByKey = new Map<string, Scorer & { readonly key: ScorerKey }>(scorers.map((each) => [each.key, each]));

/** Returns the scorer of a key; throws if there is none. */
export function getScorerOrThrow(key: string): Scorer & { readonly key: ScorerKey } {
  const found = scorersByKey.get(key);
  if (found === undefined) throw new Error(`there is no scorer ${key}`);
  return found;
}

/** The scorers that order agents, each under some protocol. */
export const headlineKeys: readonly HeadlineKey[] = [...new Set(protocols.map(({ headline }) => headline))];

/**
 * Scorers of earlier releases that no longer exist: published records have figures under their keys, which their
 * signatures cover.
 */
export const retiredScorerKeys = ['pass'] as const;

/** Returns whether the traces of attempts are enough for a score, without a judge. */
export const isRecomputable = ({ needs }: Pick<Scorer, 'needs'>): boolean => !needs.includes('judge');

/** Returns a scorer's name where values are compared: if values near 0 are best, absolute values are compared. */
export const scorerTitleInComparisons = ({ title, direction }: Pick<Scorer, 'title' | 'direction'>): string =>
  direction === 'zero' ? `|${title}|` : title;

/** Lists scorers by title: `TCS, MTC and TFD`. */
export const joinScorerTitles = (listed: readonly Pick<Scorer, 'title'>[]): string =>
  new Intl.ListFormat('en-GB').format(listed.map(({ title }) => title));
