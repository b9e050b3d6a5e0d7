import { canonicalJson } from '#core/values/canonical.ts';
import type { TraceHeader, TraceSeal } from '../submissions/trace-file.ts';
import { defaultScoring, type ScoringParameters } from '#core/scoring/parameters.ts';
import type { RecordContent } from '../record.ts';
import { failedCheck, passedCheck, equalityCheck, type Check } from './check.ts';

/** Checks that a trace file is the one that a record names. */
export function compareTracesWithRecord(
  { entry, provenance, traces }: RecordContent,
  { header, seal }: { readonly header: TraceHeader; readonly seal: TraceSeal },
): Check[] {
  const [record, file] = ['the record', 'the file of traces'];
  const configured = canonicalJson(entry.configuration) === canonicalJson(header.configuration);
  return [
    equalityCheck('seal', [record, traces.public.sha256], [file, seal.sha256]),
    equalityCheck('attempts', [record, traces.public.attempts], [file, seal.attempts]),
    equalityCheck('benchmark', [record, entry.benchmark], [file, header.benchmark]),
    equalityCheck('protocol', [record, provenance.protocol], [file, header.protocol]),
    equalityCheck('catalog', [record, provenance.catalog], [file, header.catalog]),
    equalityCheck('weights', [record, scoringParametersText(provenance)], [file, scoringParametersText(header)]),
    equalityCheck('trials', [record, entry.trials], [file, header.trials]),
    configured
      ? passedCheck('configuration', 'record and traces are of the same agent')
      : failedCheck('configuration', 'record and traces are of agents with other limits, loops or models'),
  ];
}

/** The parameters of the metrics; absent ones are the defaults. */
const scoringParametersText = ({
  scoring = defaultScoring,
}: {
  readonly scoring?: ScoringParameters | undefined;
}): string => canonicalJson(scoring);
