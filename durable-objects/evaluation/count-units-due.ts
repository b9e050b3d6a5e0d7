import { z } from 'zod';
import type { CaseWorker } from '#core/evaluation/case-worker.ts';
import type { CountedSql } from '#durable-objects/shared/counted-sql.ts';

const countRow = z.object({ n: z.number() });

/** Counts the units whose cases wait for their leaderboard, once everything else is done; 0 before. */
export function countUnitsDue(sql: CountedSql): number {
  // One by one, because each worker has an index of its own.
  const noneFor = (worker: CaseWorker): string => `NOT EXISTS (SELECT 1 FROM cases WHERE waits = '${worker}')`;
  const rows = sql.read(
    `SELECT COUNT(DISTINCT unit) AS n FROM cases WHERE waits = 'leaderboard'
      AND ${noneFor('lane')} AND ${noneFor('taken')} AND ${noneFor('client')} AND ${noneFor('claimed')}`,
  );
  return countRow.parse(rows.one()).n;
}
