import type { Tool } from '#core/catalog/tool.ts';
import type { CatalogPairsAnswer } from '#core/units/answers.ts';
import type { VariantPhase } from '#core/units/shards.ts';
import type { StageAnswer, StageResult } from '#core/units/progress.ts';
import type { Compared, EvolutionTurn, SurveyPart, ToCompare } from '#durable-objects/exploration/evolution.ts';
import type { OpenRound, RunContext, UnitWork } from '#durable-objects/exploration/exploration-run.ts';
import type { Stop } from '#durable-objects/shared/run-lifecycle.ts';

/** Units, as whoever drives them asks for their work and commits it. */
export interface DrivenUnits {
  openUnit(driver: number, id: string): Promise<UnitWork | Stop>;
  commitStage(driver: number, id: string, revision: number, result: StageResult): Promise<UnitWork | Stop>;
  /** Ends a unit whose work failed for a reason of ours. */
  setAside(driver: number, id: string, reason: string): Promise<void>;
}

/** The units of a shard. */
export interface DrivenShard extends DrivenUnits {
  /** Says that the shard has ended. */
  settle(): Promise<void>;
  fail(reason: string): Promise<void>;
}

/** What a driver asks of an exploration. */
export interface DrivenRun extends DrivenUnits {
  context(): Promise<RunContext>;
  openRound(driver: number): Promise<OpenRound | Stop>;
  openGroup(driver: number, units: readonly string[]): Promise<{ kind: 'group'; tools: Tool[]; count: number } | Stop>;
  commitGroup(units: readonly string[], answer: StageAnswer<CatalogPairsAnswer>): Promise<void>;
  commitRound(driver: number, round: number): Promise<{ kind: 'next' } | Stop>;
  settleRound(driver: number, round: number): Promise<void>;
  fail(driver: number, reason: string): Promise<void>;
}

/** What carrying out a reviewer's decision asks of the exploration. */
export interface ReviewedRun {
  context(): Promise<RunContext>;
  openReviewed(driver: number, id: string): Promise<UnitWork | Stop>;
  commitReviewed(driver: number, id: string, revision: number, result: StageResult): Promise<UnitWork | Stop>;
  setReviewedAside(driver: number, id: string, reason: string): Promise<void>;
  openReviewedDistinct(driver: number, id: string): Promise<ToCompare | Stop>;
  commitReviewedDistinct(units: readonly string[], compared: Compared): Promise<void>;
  settleReviewed(driver: number, id: string): Promise<void>;
}

/** What a driver of an evolution asks of the exploration that it grows. */
export interface EvolvedRun {
  context(): Promise<RunContext>;
  openTurn(evolution: number, driver: number): Promise<EvolutionTurn | Stop>;
  openSurvey(evolution: number, driver: number): Promise<SurveyPart | Stop>;
  openVariant(evolution: number, driver: number, id: string): Promise<UnitWork | Stop>;
  commitVariant(
    evolution: number,
    driver: number,
    id: string,
    revision: number,
    result: StageResult,
  ): Promise<UnitWork | Stop>;
  setVariantAside(evolution: number, driver: number, id: string, reason: string): Promise<void>;
  settleBatch(evolution: number, driver: number, batch: number, phase: VariantPhase): Promise<void>;
  commitSurvey(
    evolution: number,
    driver: number,
    part: { units: readonly string[]; to: string | null },
    compared: Compared,
  ): Promise<void>;
  openDistinct(evolution: number, driver: number, batch: number): Promise<ToCompare | Stop>;
  commitDistinct(evolution: number, units: readonly string[], compared: Compared): Promise<void>;
  commitBatch(evolution: number, driver: number, batch: number): Promise<{ kind: 'next' } | Stop>;
  handOverEvolution(evolution: number, driver: number): Promise<void>;
  failEvolution(evolution: number, driver: number, reason: string): Promise<void>;
}
