import type { LabelledRow } from './labelled-rows.ts';
import { learnWeights } from './learn.ts';

interface WeighedRow extends LabelledRow {
  /** Log-odds by weights that were learned without its server. */
  readonly weight: number;
}

/** Weighs each result of the given servers that they did not mark by weights that were learned from all other servers. */
export const weighWithoutOwnServer = (rows: readonly LabelledRow[], servers: readonly string[]): WeighedRow[] =>
  servers.flatMap((left) => {
    const weights = learnWeights(rows.filter(({ server }) => server !== left));
    return rows
      .filter(({ server, marked }) => server === left && !marked)
      .map((row) => ({ ...row, weight: row.traits.reduce((sum, trait) => sum + (weights.get(trait) ?? 0), 0) }));
  });

/** Returns how many errors the rules and the weights find from each threshold on, and how many other results they take for errors. */
export const measurementLines = (rows: readonly WeighedRow[], thresholds: readonly number[]): string[] => {
  const errors = rows.filter(({ error }) => error);
  const others = rows.filter(({ error }) => !error);
  const count = (list: readonly WeighedRow[], at: number, rules: boolean): number =>
    list.filter(({ isErrorByRule, weight }) => (rules && isErrorByRule) || weight >= at).length;
  const line = (name: string, at: number, rules: boolean): string =>
    `${name}: ${count(errors, at, rules)} of ${errors.length} errors found, ${count(others, at, rules)} of ${others.length} others taken for errors`;
  return [
    line('rules alone', Infinity, true),
    ...thresholds.flatMap((at) => [
      line(`weights from ${at}`, at, false),
      line(`rules and weights from ${at}`, at, true),
    ]),
  ];
};

/** Returns the results that rules and weights together take wrongly, the surest mistakes first. */
export const mistakeLines = (rows: readonly WeighedRow[], at: number): string[] =>
  rows
    .filter(({ error, isErrorByRule, weight }) => error !== (isErrorByRule || weight >= at))
    .toSorted((a, b) => Math.abs(b.weight - at) - Math.abs(a.weight - at))
    .map(
      ({ error, server, tool, text, weight }) =>
        `${error ? 'missed' : 'wrong'} ${weight.toFixed(2)} ${server} ${tool}: ${JSON.stringify(text.slice(0, 160))}`,
    );
