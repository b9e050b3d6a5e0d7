import { z } from 'zod';
import { failurePatterns } from '#core/scoring/failure-patterns.ts';
import { scorerKeys } from '#core/scoring/scorers.ts';
import { requestSide } from '#core/units/unit.ts';
import { attemptRecord } from './case.ts';
import { scoreSummary } from './results-record.ts';

/** One agent on one unit: means over the finished trials; null if none of them is scored. */
export const unitResult = z.object({
  unit: z.string(),
  agent: z.string(),
  trials: z.int(),
  scores: z.record(z.enum(scorerKeys), z.number().nullable()),
  /** Trials in which both attempts have a pass or fail, and those in which both passed. */
  passes: z.object({ scored: z.int(), passed: z.int() }),
  /** The failure patterns of its trials, each once. */
  patterns: z.array(z.enum(failurePatterns)),
});
export type UnitResult = z.infer<typeof unitResult>;

/** What a breakdown groups units by. */
export type BreakdownBy = 'server' | 'domain';

/** The agents on the units of one server or domain. A unit belongs to every one that has a tool in its chain. */
export const breakdownGroup = z.object({
  /** Name of the server or domain. */
  name: z.string(),
  /** Units of the evaluation that belong to it. */
  units: z.int(),
  agents: z.array(
    z.object({
      agent: z.string(),
      scores: z.record(z.enum(scorerKeys), scoreSummary),
      /** Units of the group that the agent has finished. */
      units: z.int(),
      /** Answered calls of the group's tools in any unit, and how many of them failed. */
      calls: z.int(),
      failedCalls: z.int(),
    }),
  ),
});
export type BreakdownGroup = z.infer<typeof breakdownGroup>;

export const breakdown = z.object({ items: z.array(breakdownGroup) });

/** A transition that the agent executed or that a unit expects. */
export const agentTransition = z.object({
  agent: z.string(),
  from: z.string(),
  to: z.string(),
  /** Null for a tool that the catalog lacks. */
  fromDomain: z.string().nullable(),
  toDomain: z.string().nullable(),
  /** Units in which the agent executed it, in any number of attempts. */
  executedIn: z.int(),
  /** Units of the evaluation whose chain has it; 0 if it is not expected. */
  expectedIn: z.int(),
});
export type AgentTransition = z.infer<typeof agentTransition>;

/** A line of the export: an attempt with its case, unit, agent, trial and side. */
export const exportedAttempt = z.object({
  case: z.string(),
  unit: z.string(),
  agent: z.string(),
  trial: z.int(),
  side: requestSide,
  ...attemptRecord.shape,
});
export type ExportedAttempt = z.infer<typeof exportedAttempt>;

/** The formats of an export. */
export const exportFormats = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];
