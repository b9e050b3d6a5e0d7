import { scorers } from '#core/scoring/scorers.ts';
import { csvRow, foreign } from '#core/evaluation/csv.ts';
import type { ExportFormat } from '#core/evaluation/breakdown-record.ts';
import { hasSplitGap } from './figures.ts';
import type { Entry, EntryScores } from './record.ts';

type Cell = string | number | boolean;
interface Column {
  readonly title: string;
  readonly of: (entry: Entry) => Cell;
}

/** A missing value is an empty cell. */
const cell = (value: number | null | undefined): Cell => value ?? '';

const scoreColumns = (title: string, scoresOf: (entry: Entry) => EntryScores | undefined): Column[] => [
  ...scorers.flatMap(({ key, direction }): Column[] => [
    { title: `${title}${key}`, of: (entry) => cell(scoresOf(entry)?.[key]?.mean) },
    { title: `${title}${key}_low`, of: (entry) => cell(scoresOf(entry)?.[key]?.low) },
    { title: `${title}${key}_high`, of: (entry) => cell(scoresOf(entry)?.[key]?.high) },
    { title: `${title}${key}_n`, of: (entry) => cell(scoresOf(entry)?.[key]?.n) },
    ...(direction === 'zero'
      ? [{ title: `${title}${key}_absolute`, of: (entry: Entry) => cell(scoresOf(entry)?.[key]?.meanAbsolute) }]
      : []),
  ]),
  {
    title: `${title}pass_hat_4`,
    of: (entry) => cell(scoresOf(entry)?.passes.find(({ k }) => k === 4)?.passHatK.mean),
  },
];

const columns: readonly Column[] = [
  { title: 'entry', of: ({ id }) => foreign(id) },
  { title: 'name', of: ({ name }) => foreign(name) },
  { title: 'tier', of: ({ tier }) => tier },
  { title: 'loop', of: ({ configuration }) => foreign(configuration.loop) },
  { title: 'model', of: ({ configuration }) => foreign(configuration.model ?? '') },
  { title: 'limits', of: ({ configuration }) => foreign(JSON.stringify(configuration.limits)) },
  { title: 'benchmark', of: ({ benchmark }) => foreign(benchmark) },
  { title: 'trials', of: ({ trials }) => trials },
  { title: 'units', of: ({ units }) => units },
  { title: 'attempts', of: ({ attempts }) => attempts },
  { title: 'not_evaluated', of: ({ notEvaluated }) => notEvaluated },
  { title: 'relaunched', of: ({ relaunched }) => cell(relaunched) },
  ...scoreColumns('', ({ scores }) => scores),
  { title: 'cost_usd', of: ({ costUsd }) => cell(costUsd) },
  {
    title: 'prompt_price_per_mtok',
    of: ({ configuration }) => cell(configuration.prices?.promptPricePerMTok),
  },
  {
    title: 'completion_price_per_mtok',
    of: ({ configuration }) => cell(configuration.prices?.completionPricePerMTok),
  },
  { title: 'tokens', of: ({ tokens }) => cell(tokens) },
  { title: 'duration_ms_median', of: ({ durationMs }) => cell(durationMs?.median) },
  { title: 'duration_ms_p95', of: ({ durationMs }) => cell(durationMs?.p95) },
  { title: 'private_units', of: (entry) => cell(entry.private?.units) },
  { title: 'private_attempts', of: (entry) => cell(entry.private?.attempts) },
  { title: 'private_not_evaluated', of: (entry) => cell(entry.private?.notEvaluated) },
  ...scoreColumns('private_', (entry) => entry.private?.scores),
  ...scorers.filter(hasSplitGap).flatMap(({ key: metric }): Column[] => [
    { title: `gap_${metric}`, of: (entry) => cell(entry.private?.gap[metric]?.difference) },
    { title: `gap_${metric}_low`, of: (entry) => cell(entry.private?.gap[metric]?.low) },
    { title: `gap_${metric}_high`, of: (entry) => cell(entry.private?.gap[metric]?.high) },
  ]),
  { title: 'offline', of: ({ offline }) => offline },
  { title: 'submitted_at', of: ({ submittedAt }) => submittedAt },
  { title: 'published_at', of: ({ publishedAt }) => publishedAt },
];

/** Returns what precedes the first entry of an export. */
export const entriesHead = (format: ExportFormat): string =>
  format === 'csv' ? csvRow(columns.map(({ title }) => title)) : '';

/** Returns an entry as a line of an export. Only JSON Lines has domains. */
export const entryLine = (format: ExportFormat, entry: Entry): string =>
  format === 'csv' ? csvRow(columns.map(({ of }) => of(entry))) : `${JSON.stringify(entry)}\n`;
