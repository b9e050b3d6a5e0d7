import { z } from 'zod';
import { failurePatterns } from '#core/scoring/failure-patterns.ts';
import { scorerKeys } from '#core/scoring/scorers.ts';
import { requestSide } from '#core/units/unit.ts';
import { attemptRecord } from './case.ts';
import { scoreSummary } from './results-record.ts';

/** One agent on one unit: means over the trials that are done; null where none of them is scored. */
export const unitResult = z.object({
  unit: z.string(),
  agent: z.string(),
  trials: z.int(),
  scores: z.record(z.enum(scorerKeys), z.number().nullable()),
  /** Trials whose two attempts both have a pass or none, and those in which both passed. */
  passes: z.object({ scored: z.int(), passed: z.int() }),
  /** The patterns of failure that some trial shows, each once. */
  patterns: z.array(z.enum(failurePatterns)),
});
export type UnitResult = z.infer<typeof unitResult>;

/** What units are told apart by in a breakdown. */
export type BreakdownBy = 'server' | 'domain';

/** The agents on the units of one server or domain. A unit belongs to each one that its chain has a tool of. */
export const breakdownGroup = z.object({
  /** Name of the server or domain. */
  name: z.string(),
  /** Units of the evaluation that belong to it. */
  units: z.int(),
  agents: z.array(
    z.object({
      agent: z.string(),
      scores: z.record(z.enum(scorerKeys), scoreSummary),
      /** Units of the group that the agent is done with. */
      units: z.int(),
      /** Calls of tools of the group that came to an answer, in whatever unit, and those of them that failed. */
      calls: z.int(),
      failedCalls: z.int(),
    }),
  ),
});
export type BreakdownGroup = z.infer<typeof breakdownGroup>;

export const breakdown = z.object({ items: z.array(breakdownGroup) });

/** A transition that the agent executed or some unit expects. */
export const agentTransition = z.object({
  agent: z.string(),
  from: z.string(),
  to: z.string(),
  /** Null for a tool that the catalog does not have. */
  fromDomain: z.string().nullable(),
  toDomain: z.string().nullable(),
  /** Units in which the agent executed it, however many attempts did. */
  executedIn: z.int(),
  /** Units of the evaluation whose chain holds it; 0 where it is not expected. */
  expectedIn: z.int(),
});
export type AgentTransition = z.infer<typeof agentTransition>;

/** A line of the export: an attempt with its place. */
export const exportedAttempt = z.object({
  case: z.string(),
  unit: z.string(),
  agent: z.string(),
  trial: z.int(),
  side: requestSide,
  ...attemptRecord.shape,
});
export type ExportedAttempt = z.infer<typeof exportedAttempt>;

/** The forms of an export. */
export const exportFormats = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];
