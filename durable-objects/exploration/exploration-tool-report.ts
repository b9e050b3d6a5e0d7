import type { Sight } from '#core/access/access.ts';
import { ok, type Result } from '#core/values/result.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { ToolReport } from '#core/reports/tool-report/record.ts';
import { makeToolReportFromTraces, tracesOfUnits } from '#durable-objects/shared/tool-report.ts';
import type { ExplorationLife } from './exploration-life.ts';

/** Returns what the attempts at the units of an exploration say about its tools. */
export async function makeExplorationToolReport(
  sql: SqlStorage,
  life: ExplorationLife,
  sight: Sight,
): Promise<Result<ToolReport>> {
  const created = life.callReaderIfExists(() => null);
  if (!created.ok) return created;
  const run = { offline: life.creation.offline, final: isOver(life.standing.status) };
  return ok(await makeToolReportFromTraces(sql, { tools: 'catalog', traces: tracesOfUnits, only: sight, run }));
}
