import type { Tool } from '#core/catalog/tool.ts';
import type { CatalogPairsAnswer } from '#core/units/answers.ts';
import type { StageAnswer, StageResult } from '#core/units/progress.ts';
import type { OpenRound, RunContext, UnitWork } from '#durable-objects/exploration-run.ts';
import type { Stop } from '#durable-objects/run-lifecycle.ts';

/** What a driver asks of an exploration. */
export interface DrivenRun {
  context(): Promise<RunContext>;
  openRound(driver: number): Promise<OpenRound | Stop>;
  openGroup(driver: number, units: readonly string[]): Promise<{ kind: 'group'; tools: Tool[]; count: number } | Stop>;
  commitGroup(units: readonly string[], answer: StageAnswer<CatalogPairsAnswer>): Promise<void>;
  openUnit(driver: number, id: string): Promise<UnitWork | Stop>;
  commitStage(driver: number, id: string, revision: number, result: StageResult): Promise<UnitWork | Stop>;
  commitRound(driver: number, round: number): Promise<{ kind: 'next' } | Stop>;
  handOver(driver: number): Promise<void>;
  fail(driver: number, reason: string): Promise<void>;
}
