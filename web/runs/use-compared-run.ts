import type { RoundReading } from '#core/exploration/reading-record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import { useClient } from '../data/session.ts';
import { useLoaded, type Loaded } from '../data/use-loaded.ts';

/** An exploration as it is now, with its readings after each round, oldest first. */
export interface ComparedRun {
  readonly record: ExplorationRecord;
  readonly readings: readonly RoundReading[];
}

/** Reads the exploration that another one is compared with; null if it is none, or the same. */
export function useComparedRun(id: string, wanted: string | undefined): Loaded<ComparedRun | null> {
  const { explorations } = useClient();
  const other = wanted === id ? undefined : wanted;
  return useLoaded(
    async (signal) => {
      if (other === undefined) return null;
      const [record, readings] = await Promise.all([
        explorations.get(other, signal),
        Array.fromAsync(explorations.readings(other, { pageSize: 500, signal })),
      ]);
      return { record, readings };
    },
    [explorations, other],
  );
}
