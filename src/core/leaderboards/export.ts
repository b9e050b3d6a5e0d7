import { getProtocol, scorersOfProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { csvRecordText, csvCellSafeFromFormulas } from '#core/values/csv.ts';
import type { ExportFormat } from '#core/evaluation/breakdown-record.ts';
import { mountingName, oracleMounting } from '#core/units/mounting/mounting.ts';
import { isScorerWithSplitGap } from './entry-figures.ts';
import { isCostByListPrices } from './ranking-score.ts';
import type { Entry, EntryScores, RankedEntry } from './record.ts';

type Cell = string | number | boolean;
interface Column {
  readonly title: string;
  readonly of: (entry: Entry) => Cell;
}

/** A missing value is an empty cell. */
const cellOrEmpty = (value: number | null | undefined): Cell => value ?? '';

const scoreColumns = (
  protocol: ProtocolKey,
  title: string,
  scoresOf: (entry: Entry) => EntryScores | undefined,
): Column[] => [
  ...scorersOfProtocol(protocol).flatMap(({ key, direction }): Column[] => [
    { title: `${title}${key}`, of: (entry) => cellOrEmpty(scoresOf(entry)?.[key]?.mean) },
    { title: `${title}${key}_low`, of: (entry) => cellOrEmpty(scoresOf(entry)?.[key]?.low) },
    { title: `${title}${key}_high`, of: (entry) => cellOrEmpty(scoresOf(entry)?.[key]?.high) },
    { title: `${title}${key}_n`, of: (entry) => cellOrEmpty(scoresOf(entry)?.[key]?.n) },
    ...(direction === 'zero'
      ? [{ title: `${title}${key}_absolute`, of: (entry: Entry) => cellOrEmpty(scoresOf(entry)?.[key]?.meanAbsolute) }]
      : []),
  ]),
  ...(getProtocol(protocol).verdict === null
    ? []
    : [
        {
          title: `${title}pass_hat_4`,
          of: (entry: Entry) => cellOrEmpty(scoresOf(entry)?.passes.find(({ k }) => k === 4)?.passHatK.mean),
        },
      ]),
];

const listExportColumns = (protocol: ProtocolKey): readonly Column[] => [
  { title: 'entry', of: ({ id }) => csvCellSafeFromFormulas(id) },
  { title: 'name', of: ({ name }) => csvCellSafeFromFormulas(name) },
  { title: 'tier', of: ({ tier }) => tier },
  { title: 'loop', of: ({ configuration }) => csvCellSafeFromFormulas(configuration.loop) },
  { title: 'model', of: ({ configuration }) => csvCellSafeFromFormulas(configuration.model ?? '') },
  { title: 'limits', of: ({ configuration }) => csvCellSafeFromFormulas(JSON.stringify(configuration.limits)) },
  { title: 'mounting', of: ({ configuration }) => mountingName(configuration.mounting ?? oracleMounting) },
  { title: 'mounted_tools', of: ({ mounted }) => cellOrEmpty(mounted?.tools.mean) },
  { title: 'schema_tokens', of: ({ mounted }) => cellOrEmpty(mounted?.schemaTokens.mean) },
  { title: 'benchmark', of: ({ benchmark }) => csvCellSafeFromFormulas(benchmark) },
  { title: 'trials', of: ({ trials }) => trials },
  { title: 'units', of: ({ units }) => units },
  { title: 'attempts', of: ({ attempts }) => attempts },
  { title: 'not_evaluated', of: ({ notEvaluated }) => notEvaluated },
  { title: 'relaunched', of: ({ relaunched }) => cellOrEmpty(relaunched) },
  ...scoreColumns(protocol, '', ({ scores }) => scores),
  { title: 'cost_usd', of: ({ costUsd }) => cellOrEmpty(costUsd) },
  { title: 'prices', of: (entry) => (entry.costUsd === null ? '' : isCostByListPrices(entry) ? 'list' : 'declared') },
  {
    title: 'prompt_price_per_mtok',
    of: ({ configuration }) => cellOrEmpty(configuration.prices?.promptPricePerMTok),
  },
  {
    title: 'completion_price_per_mtok',
    of: ({ configuration }) => cellOrEmpty(configuration.prices?.completionPricePerMTok),
  },
  { title: 'tokens', of: ({ tokens }) => cellOrEmpty(tokens) },
  { title: 'duration_ms_median', of: ({ durationMs }) => cellOrEmpty(durationMs?.median) },
  { title: 'duration_ms_p95', of: ({ durationMs }) => cellOrEmpty(durationMs?.p95) },
  { title: 'private_units', of: (entry) => cellOrEmpty(entry.private?.units) },
  { title: 'private_attempts', of: (entry) => cellOrEmpty(entry.private?.attempts) },
  { title: 'private_not_evaluated', of: (entry) => cellOrEmpty(entry.private?.notEvaluated) },
  ...scoreColumns(protocol, 'private_', (entry) => entry.private?.scores),
  ...scorersOfProtocol(protocol)
    .filter(isScorerWithSplitGap)
    .flatMap(({ key: metric }): Column[] => [
      { title: `gap_${metric}`, of: (entry) => cellOrEmpty(entry.private?.gap[metric]?.difference) },
      { title: `gap_${metric}_low`, of: (entry) => cellOrEmpty(entry.private?.gap[metric]?.low) },
      { title: `gap_${metric}_high`, of: (entry) => cellOrEmpty(entry.private?.gap[metric]?.high) },
    ]),
  { title: 'offline', of: ({ offline }) => offline },
  { title: 'submitted_at', of: ({ submittedAt }) => submittedAt },
  { title: 'published_at', of: ({ publishedAt }) => publishedAt },
];

/** The place of an entry among those of its tier by the headline. */
const placeColumns = ['position', 'rank', 'on_front'] as const;

/** Returns what precedes the first entry of an export. */
export const exportHeaderTextOrEmpty = (format: ExportFormat, protocol: ProtocolKey): string =>
  format === 'csv' ? csvRecordText([...placeColumns, ...listExportColumns(protocol).map(({ title }) => title)]) : '';

/** Returns an entry with its place in its tier as a line of an export. Only JSON Lines has domains. */
export const entryExportLineText = (
  format: ExportFormat,
  protocol: ProtocolKey,
  { entry, position, rank, onFront }: RankedEntry,
): string =>
  format === 'csv'
    ? csvRecordText([position, rank, onFront, ...listExportColumns(protocol).map(({ of }) => of(entry))])
    : `${JSON.stringify({ position, rank, onFront, ...entry })}\n`;
