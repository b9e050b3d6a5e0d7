import { canonicalJson } from '#core/canonical.ts';
import type { TraceHeader, TraceSeal } from '#core/submissions/trace-file.ts';
import type { RecordContent } from '#core/leaderboards/record.ts';
import { broken, holds, same, type Check } from './verification.ts';

/** Checks that a trace file is the one that a record names. */
export function verifyTraces(
  { entry, provenance, traces }: RecordContent,
  { header, seal }: { readonly header: TraceHeader; readonly seal: TraceSeal },
): Check[] {
  const [record, file] = ['the record', 'the file of traces'];
  const configured = canonicalJson(entry.configuration) === canonicalJson(header.configuration);
  return [
    same('seal', [record, traces.public.sha256], [file, seal.sha256]),
    same('attempts', [record, traces.public.attempts], [file, seal.attempts]),
    same('benchmark', [record, entry.benchmark], [file, header.benchmark]),
    same('protocol', [record, provenance.protocol], [file, header.protocol]),
    same('catalog', [record, provenance.catalog], [file, header.catalog]),
    same('trials', [record, entry.trials], [file, header.trials]),
    configured
      ? holds('configuration', 'record and traces are of the same agent')
      : broken('configuration', 'record and traces are of agents with other limits, loops or models'),
  ];
}
