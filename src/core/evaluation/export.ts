import type { z } from 'zod';
import { scorersOfProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { AttemptScorerKey } from './scorers.ts';
import { hasFailed, isReportedError } from '#core/traces/step-outcome.ts';
import type { ExportedAttempt, ExportFormat, MountedInAttempt } from './breakdown-record.ts';
import { evaluationCase } from './case.ts';
import { csvRecordText, csvCellSafeFromFormulas } from '#core/values/csv.ts';

/** Everything that an export needs from a case. */
export const exportedCase = evaluationCase.pick({
  id: true,
  unit: true,
  agent: true,
  trial: true,
  requests: true,
  attempts: true,
});
type ExportedCase = z.infer<typeof exportedCase>;

/** Returns the attempts of a case that were made. */
export const listExportedAttemptsOfCase = (
  { id, unit, agent, trial, requests, attempts }: ExportedCase,
  mounted: MountedInAttempt,
): ExportedAttempt[] =>
  requests.flatMap((side) => {
    const attempt = attempts[side];
    return attempt === undefined ? [] : [{ case: id, unit, agent, trial, side, ...attempt, mounted }];
  });

interface AttemptColumn {
  readonly title: string;
  readonly of: (each: ExportedAttempt) => string | number | boolean;
}

const placeColumns: readonly AttemptColumn[] = [
  { title: 'case', of: (each) => csvCellSafeFromFormulas(each.case) },
  { title: 'unit', of: ({ unit }) => csvCellSafeFromFormulas(unit) },
  { title: 'agent', of: ({ agent }) => csvCellSafeFromFormulas(agent) },
  { title: 'trial', of: ({ trial }) => trial },
  { title: 'side', of: ({ side }) => side },
  { title: 'mounting', of: ({ mounted }) => mounted.mounting },
  { title: 'mounted_tools', of: ({ mounted }) => mounted.tools },
  { title: 'schema_tokens', of: ({ mounted }) => mounted.schemaTokens },
  { title: 'evaluated', of: ({ evaluated }) => evaluated },
  { title: 'relaunched', of: ({ relaunched }) => relaunched },
  { title: 'end', of: ({ end }) => csvCellSafeFromFormulas(end) },
];

const listColumnsOfScorer = (key: AttemptScorerKey): AttemptColumn[] => [
  { title: key, of: ({ scores }: ExportedAttempt) => scores[key].value ?? '' },
  {
    title: `${key}_unscored`,
    of: ({ scores }: ExportedAttempt) => (scores[key].value === null ? scores[key].reason : ''),
  },
  {
    title: `${key}_explanation`,
    of: ({ scores }: ExportedAttempt) => csvCellSafeFromFormulas(scores[key].explanation),
  },
  {
    title: `${key}_parts`,
    of: ({ scores }: ExportedAttempt) => csvCellSafeFromFormulas(JSON.stringify(scores[key].parts)),
  },
];

const otherColumns: readonly AttemptColumn[] = [
  { title: 'calls', of: ({ calls }) => calls.length },
  { title: 'failed_calls', of: ({ calls }) => calls.filter(hasFailed).length },
  { title: 'reported_errors', of: ({ calls }) => calls.filter(isReportedError).length },
  { title: 'spoilt_calls', of: ({ calls }) => calls.filter(({ cause }) => cause === 'environment').length },
  { title: 'tools', of: ({ calls }) => csvCellSafeFromFormulas(calls.map(({ tool }) => tool).join(' > ')) },
  {
    title: 'outcomes',
    of: ({ calls }) => calls.map((call) => (isReportedError(call) ? 'reported' : call.outcome)).join(' > '),
  },
  { title: 'failures', of: ({ calls }) => calls.flatMap(({ failure }) => failure ?? []).join(' ') },
  { title: 'unreturned', of: ({ unreturned }) => unreturned ?? '' },
  { title: 'model_calls', of: ({ usage }) => usage.calls },
  { title: 'prompt_tokens', of: ({ usage }) => usage.promptTokens },
  { title: 'completion_tokens', of: ({ usage }) => usage.completionTokens },
  { title: 'cost_usd', of: ({ usage }) => usage.costUsd },
  { title: 'duration_ms', of: ({ durationMs }) => durationMs },
  {
    title: 'fault',
    of: ({ fault }) => (fault === null ? '' : csvCellSafeFromFormulas(`${fault.where} ${fault.name} ${fault.code}`)),
  },
  { title: 'fault_detail', of: ({ fault }) => csvCellSafeFromFormulas(fault?.detail ?? '') },
  { title: 'response', of: ({ response }) => csvCellSafeFromFormulas(response) },
  { title: 'texts_deleted', of: ({ textsDeleted }) => textsDeleted ?? '' },
];

/** Returns the columns of a table of attempts, with the scorers of attempts that the protocol asks for. */
function listColumnsOfAttemptTable(protocol: ProtocolKey): AttemptColumn[] {
  const asked = scorersOfProtocol(protocol).flatMap((scorer) => (scorer.unit === 'attempt' ? [scorer.key] : []));
  return [...placeColumns, ...asked.flatMap(listColumnsOfScorer), ...otherColumns];
}

/** Returns what precedes the first attempt of an export. */
export const exportHeaderLineText = (format: ExportFormat, protocol: ProtocolKey): string =>
  format === 'csv' ? csvRecordText(listColumnsOfAttemptTable(protocol).map(({ title }) => title)) : '';

/** Returns an attempt as a line of an export. */
export const exportLineText = (format: ExportFormat, protocol: ProtocolKey, attempt: ExportedAttempt): string =>
  format === 'csv'
    ? csvRecordText(listColumnsOfAttemptTable(protocol).map(({ of }) => of(attempt)))
    : `${JSON.stringify(attempt)}\n`;
