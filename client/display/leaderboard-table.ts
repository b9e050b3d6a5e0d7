import { fixedText, signedText, summaryText } from '#core/evaluation/figure-texts.ts';
import {
  aboutMetric,
  defaultMetric,
  isScorer,
  spentMetric,
  unitMetric,
  type RankingMetric,
  type UnitRankingMetric,
} from '#core/leaderboards/metrics.ts';
import type { Entry, LeaderboardRecord, PairedPlace, RankedEntry } from '#core/leaderboards/record.ts';
import { recomputableScorers, getScorer, scorers } from '#core/scoring/scorers.ts';
import { table, type Column } from '../command-line/table.ts';
import { count, counted, duration, plain, widthOf } from '../command-line/text.ts';
import { agentLines, pricesText } from './entry-agent.ts';
import type { PlacedEntry } from '../resources/leaderboards.ts';

/** Formats an entry's value of a metric, with its interval if there is one. */
export function figureOf(metric: RankingMetric, { scores, costUsd, tokens, durationMs }: Entry): string {
  switch (metric) {
    case 'pass-hat-4': {
      const found = scores.passes.find(({ k }) => k === 4);
      return found === undefined ? 'none' : summaryText(found.passHatK);
    }
    case 'cost':
      return costText(costUsd);
    case 'tokens':
      return tokens === null ? 'unknown' : count(tokens);
    case 'duration':
      return durationMs === null ? 'none' : shortTime(durationMs.median);
    default: {
      const { meanAbsolute = null } = scores[metric] ?? {};
      const absolute = meanAbsolute === null ? '' : `, ${aboutMetric(metric).title} ${fixedText(meanAbsolute)}`;
      return `${summaryText(scores[metric])}${absolute}`;
    }
  }
}

/** Formats the cost of an attempt; small sums keep their digits. */
const costText = (costUsd: number | null): string =>
  costUsd === null ? 'unknown' : `$${costUsd === 0 ? '0' : costUsd.toPrecision(3)}`;

const titleOf = (metric: RankingMetric): string =>
  isScorer(metric) ? getScorer(metric).title : aboutMetric(metric).title;

/** A row of the ranked table; `tied` if others have the same rank. */
interface Row extends RankedEntry {
  readonly tied: boolean;
}

const column = (metric: RankingMetric): Column<Row> => ({
  title: titleOf(metric),
  of: ({ entry }) => figureOf(metric, entry),
});
const tier: Column<Row> = { title: 'tier', of: ({ entry }) => entry.tier };
const front: Column<Row> = { title: 'front', of: ({ onFront }) => (onFront ? '*' : '') };
const brief = scorers.filter((scorer) => scorer.brief).map(({ key }) => key);
const head: readonly Column<Row>[] = [
  { title: 'rank', of: ({ rank, tied }) => `${rank}${tied ? '=' : ''}` },
  { title: 'name', of: ({ entry }) => entry.name, flexible: true },
];

/**
 * Formats entries in their order: one table, or two below each other if it is too wide. `next` is the entry after the
 * last one, if any.
 */
export function rankedLines(
  ranked: readonly RankedEntry[],
  {
    metric = defaultMetric,
    width,
    next,
  }: { readonly metric?: RankingMetric | undefined; readonly width: number; readonly next?: RankedEntry | undefined },
): string[] {
  const all = next === undefined ? ranked : [...ranked, next];
  const rows = ranked.map((each) => ({ ...each, tied: all.filter(({ rank }) => rank === each.rank).length > 1 }));
  const usual: readonly RankingMetric[] = [...brief, 'cost'];
  const asked = usual.includes(metric) ? [] : [metric];
  const ranking = asked[0] ?? defaultMetric;
  const others = brief.filter((each) => each !== ranking);
  const groups = [[tier, column(ranking), column('cost'), front], others.map(column)];
  const whole = table([...head, tier, ...[...asked, ...usual].map(column), front], rows, width);
  return whole.every((line) => widthOf(line) <= width)
    ? whole
    : groups.flatMap((group, place) => [...(place === 0 ? [] : ['']), ...table([...head, ...group], rows, width)]);
}

/** Notes for reading the ranked table. */
export const rankedLegend = ({ offline }: Pick<LeaderboardRecord, 'offline'>): string[] => [
  'Means over units with 95% intervals. Entries of one rank (=) cannot be told from the one that leads it, unit by unit.',
  'Cost is that of an attempt; on the front (*) are the entries that no other one beats in both execution and cost.',
  'Tiers: service, we ran the model; gateway, the agent worked through our gateway; self-reported, its traces were uploaded.',
  ...(offline ? ['Made with offline models, which are rules: no evidence about models.'] : []),
];

/** Formats an entry with the reasons for its rank. */
export function entryLines({ entry, place }: PlacedEntry, width: number): string[] {
  const { name, tier, units, attempts, notEvaluated, relaunched = 0, trials } = entry;
  const { metric, position, rank, of, onFront, leader, above } = place;
  return [
    `${plain(name)} (${tier}): rank ${rank} by ${titleOf(metric)}, position ${position} of ${of}${onFront ? ', on the front of cost and execution' : ''}`,
    leader === null
      ? '  leads its rank'
      : `  ${againstText(leader)}: ${leader.difference === null ? 'the same' : 'cannot be told apart'}`,
    ...(above === null ? [] : [`  ${againstText(above)}: the rank above`]),
    `  ${counted(units, 'public unit')}, ${counted(trials, 'trial')} each: ${counted(attempts, 'attempt')}, ${count(notEvaluated)} not evaluated${relaunched === 0 ? '' : `, ${count(relaunched)} relaunched`}`,
    ...agentLines(entry),
    '',
    ...table(
      [
        { title: 'metric', of: ({ title }) => title },
        { title: 'public', of: (row) => row.shown },
        { title: 'private', of: (row) => row.hidden },
        { title: 'gap', of: (row) => row.gap },
        { title: '', of: (row) => row.note },
      ],
      scoreRows(entry),
      width,
    ),
    ...domainLines(entry, width),
  ];
}

const againstText = ({ name, difference, low, high, units }: PairedPlace): string =>
  difference === null || low === null || high === null
    ? `against ${plain(name)}, by the figure alone`
    : `against ${plain(name)} ${signedText(difference)} [${signedText(low)}, ${signedText(high)}] over ${counted(units, 'unit')}`;

function scoreRows(entry: Entry) {
  const hidden = entry.private;
  return [
    ...unitMetric.options.map((metric) => ({
      title: titleOf(metric),
      shown: figureOf(metric, entry),
      hidden: hidden === null ? '' : figureOf(metric, { ...entry, scores: hidden.scores }),
      gap: hidden === null ? '' : gapText(hidden.gap, metric),
      note: '',
    })),
    ...spentMetric.options.map((metric) => ({
      title: titleOf(metric),
      shown: figureOf(metric, entry),
      hidden: '',
      gap: '',
      note: metric === 'cost' ? pricesText(entry) : '',
    })),
  ];
}

function gapText(gap: NonNullable<Entry['private']>['gap'], metric: UnitRankingMetric): string {
  const found = metric === 'pass-hat-4' ? undefined : gap[metric];
  if (found === undefined) return '';
  const { difference, low, high } = found;
  if (difference === null) return 'none';
  return `${signedText(difference)}${low === null || high === null ? '' : ` [${signedText(low)}, ${signedText(high)}]`}`;
}

function domainLines({ domains }: Entry, width: number): string[] {
  if (domains.length === 0) return [];
  const lines = table(
    [
      { title: 'domain', of: ({ name }) => name },
      { title: 'units', of: ({ units }) => units },
      ...recomputableScorers.map(({ key, title }) => ({
        title,
        of: (domain: Entry['domains'][number]) => summaryText(domain[key]),
      })),
    ],
    domains,
    width,
  );
  return ['', ...lines];
}

/** An attempt of a fast agent takes less than a second. */
const shortTime = (ms: number): string => (ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : duration(ms));
