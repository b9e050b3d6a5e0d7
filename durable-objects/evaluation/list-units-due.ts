import { z } from 'zod';
import type { CaseWorker } from '#core/evaluation/case-worker.ts';
import type { CountedSql } from '#durable-objects/shared/counted-sql.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';

const unitRow = z.object({ unit: z.string() });

/** Returns the ids of the units whose cases wait for their leaderboard, once everything else is done; none before. */
export function listPrivateUnitIdsIfPublicDone(sql: CountedSql): string[] {
  // One by one, because each worker has an index of its own.
  const noneFor = (worker: CaseWorker): string => `NOT EXISTS (SELECT 1 FROM cases WHERE waits = '${worker}')`;
  const rows = sql.readUncounted(
    `SELECT DISTINCT unit FROM cases WHERE waits = 'leaderboard'
      AND ${noneFor('lane')} AND ${noneFor('taken')} AND ${noneFor('client')} AND ${noneFor('claimed')}`,
  );
  return parseRows(unitRow, rows).map(({ unit }) => unit);
}
