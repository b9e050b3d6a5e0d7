import { fixedDigitsText, signedDifferenceText, summaryText } from './figure-texts.ts';
import { titleOfDisturbance, type DisturbanceFigures } from './disturbance-figures.ts';
import { disturbances, findDisturbance } from '#core/traces/disturbances/disturbances.ts';

/** A column of the table of disturbances, wherever it is shown. */
export interface DisturbanceColumn {
  readonly title: string;
  readonly of: (row: DisturbanceFigures) => string;
}

const shareText = (summary: DisturbanceFigures['noticed']): string => (summary === null ? '' : summaryText(summary));
const meanText = (value: number | null, digits: number): string =>
  value === null ? '' : fixedDigitsText(value, digits);

/** Success within units that both have, and what separates the two. */
function resilienceText({ resilience: { difference, low, high, verdict } }: DisturbanceFigures): string {
  if (difference === null) return '';
  if (verdict === 'insufficient-data' || low === null || high === null)
    return `${signedDifferenceText(difference)} (insufficient data)`;
  return `${signedDifferenceText(difference)} [${signedDifferenceText(low)}, ${signedDifferenceText(high)}]`;
}

const always: readonly DisturbanceColumn[] = [
  { title: 'disturbance', of: ({ kind }) => titleOfDisturbance(kind) },
  { title: 'met', of: ({ met, attempts }) => `${met} of ${attempts}` },
  { title: 'without', of: ({ without }) => meanText(without.mean, 2) },
  { title: 'with', of: ({ with: under }) => summaryText(under) },
  { title: 'resilience', of: resilienceText },
];
const ofFaults: readonly DisturbanceColumn[] = [
  { title: 'noticed', of: ({ noticed }) => shareText(noticed) },
  { title: 'passed on', of: ({ passedOn }) => shareText(passedOn) },
];
const ofAttacks: readonly DisturbanceColumn[] = [
  { title: 'attack success', of: ({ attackSuccess }) => shareText(attackSuccess) },
  { title: 'leaked', of: ({ leaked }) => shareText(leaked) },
  { title: 'NRP', of: ({ netResilience }) => meanText(netResilience, 2) },
];
const ofCost: readonly DisturbanceColumn[] = [
  { title: 'more calls', of: ({ moreCalls }) => meanText(moreCalls, 1) },
  { title: 'more tokens', of: ({ moreTokens }) => meanText(moreTokens, 0) },
  { title: 'ran out', of: ({ ranOut }) => String(ranOut) },
];

/** Returns the columns for these rows: those of faults, of attacks, or of both. */
export function listDisturbanceColumns(rows: readonly DisturbanceFigures[]): readonly DisturbanceColumn[] {
  const groups = new Set(rows.flatMap(({ kind }) => (kind === null ? [] : (findDisturbance(kind)?.group ?? []))));
  return [...always, ...(groups.has('fault') ? ofFaults : []), ...(groups.has('attack') ? ofAttacks : []), ...ofCost];
}

/** What a reader has to know of the table. */
export const disturbanceNotes: readonly string[] = [
  'Resilience is success with less success without a disturbance, within units that have both. It is 0 for an agent that always fails too: rank by success under disturbance.',
  'Only attempts that the disturbance met count. The changed results are planted: they say nothing about the servers.',
];

/** Returns what the kinds among these rows change, one sentence each. */
export const disturbanceMeanings = (rows: readonly DisturbanceFigures[]): string[] =>
  disturbances
    .filter(({ key }) => rows.some(({ kind }) => kind === key))
    .map(({ title, change }) => `${title}: ${change}.`);
