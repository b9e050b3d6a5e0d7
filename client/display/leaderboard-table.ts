import { fixedDigitsText, signedDifferenceText, summaryText } from '#core/evaluation/figure-texts.ts';
import {
  type RankingMetric,
  type ShownMetric,
  getMetricTitleAndDirection,
  isScorerMetric,
  rankingOrdersOfProtocol,
  spentMetric,
} from '#core/leaderboards/metrics.ts';
import {
  type Entry,
  type LeaderboardRecord,
  type PairedPlace,
  type RankedEntry,
  protocolOfEntryOrDefault,
} from '#core/leaderboards/record.ts';
import { useMargin } from '#core/leaderboards/behind.ts';
import { isCostByListPrices } from '#core/leaderboards/ranking-score.ts';
import { listScorersWithSomethingToSay } from '#core/evaluation/shown-scorers.ts';
import { listScorersShownByDomain, listScorersShownInBrief } from '#core/leaderboards/scorers.ts';
import { type ProtocolKey, getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { type ScorerKey, getScorerOrThrow } from '#core/evaluation/scorers.ts';
import { mountingName, oracleMounting } from '#core/units/mounting/mounting.ts';
import { describeMounting, oracleCaveat } from '#core/units/mounting/mounting-texts.ts';
import { type Column, tableLines } from '../command-line/table-lines.ts';
import { countWithNoun, durationText, makePrintableLine, wholeNumberText, widthOf } from '../command-line/text.ts';
import type { PlacedEntry } from '../resources/leaderboards.ts';
import { isolationText, mountingAndToolCountsText } from '#core/leaderboards/figure-texts.ts';

/** Describes the agent of an entry in lines. */
function agentLines(entry: Pick<Entry, 'configuration' | 'mounted' | 'isolation'>): string[] {
  const { loop, model, limits } = entry.configuration;
  const named = Object.entries(limits).map(([name, value]) => `${makePrintableLine(name)} ${value}`);
  return [
    `  ${makePrintableLine(loop)}, ${model === null ? 'its model is not known to the service' : `model ${makePrintableLine(model)}`}`,
    ...(named.length === 0 ? [] : [`  limits: ${named.join(', ')}`]),
    `  mounting: ${mountingAndToolCountsText(entry)}`,
    `  servers: ${makePrintableLine(isolationText(entry))}`,
  ];
}

/** The prices behind an entry's cost; empty if nobody has declared any. */
function pricesText({ configuration: { prices }, priceSource }: Pick<Entry, 'configuration' | 'priceSource'>): string {
  if (prices === undefined) return '';
  const { promptPricePerMTok, completionPricePerMTok } = prices;
  return `$${promptPricePerMTok} / $${completionPricePerMTok} for a million tokens, ${priceSource === undefined ? 'as the submitter declared them' : `from the list (${priceSource.readOn})`}`;
}

/** Formats an entry's value of a metric, with its interval if there is one. */
export function metricText(metric: ShownMetric, entry: Entry): string {
  const { scores, costUsd, tokens, durationMs } = entry;
  switch (metric) {
    case 'pass-hat-4': {
      const found = scores.passes.find(({ k }) => k === 4);
      return found === undefined ? 'none' : summaryText(found.passHatK);
    }
    case 'cost':
    case 'declared-cost':
      return `${costUsd === null || isCostByListPrices(entry) ? '' : '~'}${costText(costUsd)}`;
    case 'tokens':
      return tokens === null ? 'unknown' : wholeNumberText(tokens);
    case 'duration':
      return durationMs === null ? 'none' : durationTextWithTenthsIfShort(durationMs.median);
    default: {
      const { meanAbsolute = null } = scores[metric] ?? {};
      const absolute =
        meanAbsolute === null ? '' : `, ${getMetricTitleAndDirection(metric).title} ${fixedDigitsText(meanAbsolute)}`;
      return `${summaryText(scores[metric])}${absolute}`;
    }
  }
}

/** Formats the cost of an attempt; small sums keep their digits. */
const costText = (costUsd: number | null): string =>
  costUsd === null ? 'unknown' : `$${costUsd === 0 ? '0' : costUsd.toPrecision(3)}`;

const metricTitle = (metric: ShownMetric): string =>
  isScorerMetric(metric) ? getScorerOrThrow(metric).title : getMetricTitleAndDirection(metric).title;

/** A row of the ranked table; `tied` if others have the same rank. */
interface Row extends RankedEntry {
  readonly tied: boolean;
}

const metricColumn = (metric: ShownMetric): Column<Row> => ({
  title: metricTitle(metric),
  cell: ({ entry }) => metricText(metric, entry),
});
const tierColumn: Column<Row> = { title: 'tier', cell: ({ entry }) => entry.tier };
/** What an entry ranks by where it was tried on private units. */
const makePrivateColumn = (headline: ShownMetric): Column<Row> => ({
  title: `private ${metricTitle(headline)}`,
  cell: ({ entry }) => (entry.private === null ? '' : metricText(headline, { ...entry, scores: entry.private.scores })),
});
const frontColumn: Column<Row> = { title: 'front', cell: ({ onFront }) => (onFront ? '*' : '') };
const headColumns: readonly Column<Row>[] = [
  { title: 'rank', cell: ({ rank, ranked, tied }) => (ranked ? `${rank}${tied ? '=' : ''}` : '–') },
  { title: 'name', cell: ({ entry }) => entry.name, flexible: true },
];

/** How a ranked table is shown: by the headline where no metric is asked for. */
interface RankedTable {
  readonly protocol: ProtocolKey;
  readonly metric?: RankingMetric | undefined;
  readonly width: number;
  readonly next?: RankedEntry | undefined;
}

/**
 * Formats entries in their order: one table, or several below each other if it is too wide. `next` is the entry after the
 * last one, if any.
 */
export function rankedLines(ranked: readonly RankedEntry[], { protocol, metric, width, next }: RankedTable): string[] {
  const { headline } = rankingOrdersOfProtocol(protocol);
  const briefMetrics = listScorersShownInBrief(protocol).map(({ key }) => key);
  const all = next === undefined ? ranked : [...ranked, next];
  const rows = ranked.map((each) => ({ ...each, tied: all.filter(({ rank }) => rank === each.rank).length > 1 }));
  const usual: readonly ShownMetric[] = [...briefMetrics, 'cost'];
  const asked = metric === undefined || usual.includes(metric) ? [] : [metric];
  const ranking = asked[0] ?? headline;
  const others = briefMetrics.filter((each) => each !== ranking);
  const hidden = ranked.some(({ entry }) => entry.private !== null) ? [makePrivateColumn(headline)] : [];
  const groups = [
    [tierColumn, metricColumn(ranking), ...hidden, metricColumn('cost'), frontColumn],
    others.slice(0, 3).map(metricColumn),
    ...(others.length > 3 ? [others.slice(3).map(metricColumn)] : []),
  ];
  const whole = tableLines(
    [...headColumns, tierColumn, ...hidden, ...[...asked, ...usual].map(metricColumn), frontColumn],
    rows,
    width,
  );
  return whole.every((line) => widthOf(line) <= width)
    ? whole
    : groups.flatMap((group, index) => [
        ...(index === 0 ? [] : ['']),
        ...tableLines([...headColumns, ...group], rows, width),
      ]);
}

/** Notes for reading the ranked table. */
export const rankedLegendLines = ({
  offline,
  mounting = oracleMounting,
  protocol,
}: Pick<LeaderboardRecord, 'offline' | 'mounting' | 'protocol'>): string[] => [
  'Means over units with 95% intervals. Each tier ranks by itself, by private units where it has been tried on them. Entries of one rank (=) cannot be told from the one that leads it, unit by unit.',
  `By cost, tokens or duration, – is an entry that is listed and not ranked: it is more than ${useMargin} below the best of its tier, or has no such figure. A cost with ~ is by prices that the submitter declared, and ranks apart.`,
  `Cost is that of an attempt; on the front (*) are the entries that no other one of the tier beats in both ${metricTitle(rankingOrdersOfProtocol(protocol).headline)} and cost.`,
  'Tiers: service, we ran the model; gateway, the agent worked through our gateway; self-reported, its traces were uploaded.',
  `Agents saw ${describeMounting(mounting)} (${mountingName(mounting)}).`,
  ...(mounting.kind === 'oracle' ? [oracleCaveat] : []),
  ...(offline ? ['Made with offline models, which are rules: no evidence about models.'] : []),
];

/** Formats an entry with the reasons for its rank. */
export function entryLines({ entry, place }: PlacedEntry, width: number): string[] {
  const { name, tier, units, attempts, notEvaluated, relaunched = 0, trials } = entry;
  const { metric, position, rank, ranked, of, onFront, leader, above } = place;
  const by = `in the tier ${tier} by ${metricTitle(metric)}`;
  return [
    `${makePrintableLine(name)}: ${ranked ? `rank ${rank} ${by}, position ${position} of ${of}` : `listed, not ranked ${by}`}${onFront ? `, on the front of cost and ${metricTitle(rankingOrdersOfProtocol(protocolOfEntryOrDefault(entry)).headline)}` : ''}`,
    ...(ranked
      ? [
          leader === null
            ? '  leads its rank'
            : `  ${pairedDifferenceText(leader)}: ${leader.difference === null ? 'the same' : 'cannot be told apart'}`,
        ]
      : []),
    ...(above === null || !ranked ? [] : [`  ${pairedDifferenceText(above)}: the rank above`]),
    `  ${countWithNoun(units, 'public unit')}, ${countWithNoun(trials, 'trial')} each: ${countWithNoun(attempts, 'attempt')}, ${wholeNumberText(notEvaluated)} not evaluated${relaunched === 0 ? '' : `, ${wholeNumberText(relaunched)} relaunched`}`,
    ...agentLines(entry),
    '',
    ...tableLines(
      [
        { title: 'metric', cell: ({ title }) => title },
        { title: 'public', cell: (row) => row.shown },
        { title: 'private', cell: (row) => row.hidden },
        { title: 'gap', cell: (row) => row.gap },
        { title: '', cell: (row) => row.note },
      ],
      entryMetricRows(entry),
      width,
    ),
    ...domainLines(entry, width),
  ];
}

const pairedDifferenceText = ({ name, difference, low, high, units }: PairedPlace): string =>
  difference === null || low === null || high === null
    ? `against ${makePrintableLine(name)}, by the figure alone`
    : `against ${makePrintableLine(name)} ${signedDifferenceText(difference)} [${signedDifferenceText(low)}, ${signedDifferenceText(high)}] over ${countWithNoun(units, 'unit')}`;

function entryMetricRows(entry: Entry) {
  const hidden = entry.private;
  const protocol = protocolOfEntryOrDefault(entry);
  const passes = getProtocol(protocol).verdict === null ? [] : (['pass-hat-4'] as const);
  const scorersShown = listScorersWithSomethingToSay(protocol, (key) => (entry.scores[key]?.mean ?? null) !== null);
  return [
    ...[...scorersShown.map(({ key }) => key), ...passes].map((metric) => ({
      title: metricTitle(metric),
      shown: metricText(metric, entry),
      hidden: hidden === null ? '' : metricText(metric, { ...entry, scores: hidden.scores }),
      gap: hidden === null ? '' : privateGapText(hidden.gap, metric),
      note: '',
    })),
    ...spentMetric.exclude(['declared-cost']).options.map((metric) => ({
      title: metricTitle(metric),
      shown: metricText(metric, entry),
      hidden: '',
      gap: '',
      note: metric === 'cost' ? pricesText(entry) : '',
    })),
  ];
}

function privateGapText(gap: NonNullable<Entry['private']>['gap'], metric: ScorerKey | 'pass-hat-4'): string {
  const found = metric === 'pass-hat-4' ? undefined : gap[metric];
  if (found === undefined) return '';
  const { difference, low, high } = found;
  if (difference === null) return 'none';
  return `${signedDifferenceText(difference)}${low === null || high === null ? '' : ` [${signedDifferenceText(low)}, ${signedDifferenceText(high)}]`}`;
}

function domainLines(entry: Entry, width: number): string[] {
  const { domains } = entry;
  if (domains.length === 0) return [];
  const lines = tableLines(
    [
      { title: 'domain', cell: ({ name }) => name },
      { title: 'units', cell: ({ units }) => units },
      ...listScorersShownByDomain(protocolOfEntryOrDefault(entry)).map(({ key, title }) => ({
        title,
        cell: (domain: Entry['domains'][number]) => summaryText(domain[key]),
      })),
    ],
    domains,
    width,
  );
  return ['', ...lines];
}

/** An attempt of a fast agent takes less than a second. */
const durationTextWithTenthsIfShort = (ms: number): string =>
  ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : durationText(ms);
