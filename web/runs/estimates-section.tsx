import type { RoundReading } from '#core/exploration/reading-record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import { readingCsvColumns } from '../../client/display/finding-columns.ts';
import { EstimateCharts } from '../charts/estimates.tsx';
import { useClient, useSharedRun } from '../data/session.ts';
import { DownloadButton } from '../parts/download-button.tsx';
import { CompareWith } from './compare-with.tsx';
import { csvFileOfList } from './csv-file.ts';
import { namesOfRuns } from './names-of-runs.ts';
import { useComparedRun } from './use-compared-run.ts';

interface EstimatesSectionProps {
  readonly record: ExplorationRecord;
  readonly readings: readonly RoundReading[];
  /** The id of the run that it is compared with; undefined if none is. */
  readonly comparedWith: string | undefined;
}

/** How the estimates of a run went, with their 95% intervals, and beside those of another one. */
export function EstimatesSection({ record, readings, comparedWith }: EstimatesSectionProps) {
  const { id } = record;
  const { explorations } = useClient();
  const isShared = useSharedRun() !== null;
  const compared = useComparedRun(id, isShared ? undefined : comparedWith);
  if (readings.length === 0) return null;
  const other = compared.state === 'loaded' ? compared.value : null;
  const names = namesOfRuns(other === null ? [record] : [record, other.record]);
  const nameOf = (run: ExplorationRecord): string => names.get(run.id) ?? run.id;
  return (
    <section>
      <h2>Estimates</h2>
      {!isShared && (
        <CompareWith
          id={id}
          chosen={other?.record ?? null}
          problem={compared.state === 'failed' ? compared.problem : null}
        />
      )}
      <EstimateCharts
        id={id}
        own={{ name: nameOf(record), readings }}
        other={other === null ? null : { name: nameOf(other.record), readings: other.readings }}
      />
      <div class="controls">
        <DownloadButton
          what="the readings by round as CSV"
          makeFile={() =>
            csvFileOfList(`${id}-readings.csv`, readingCsvColumns, explorations.readings(id, { pageSize: 500 }))
          }
        />
      </div>
    </section>
  );
}
