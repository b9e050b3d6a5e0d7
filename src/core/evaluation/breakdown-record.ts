import { errorMarks } from '#core/catalog/call-counts.ts';
import { z } from 'zod';
import { failurePatterns } from '#core/scoring/failure-patterns.ts';
import { scorerKeys } from './scorers.ts';
import { attemptRecord } from './case.ts';
import { requestName } from '#core/benchmarks/protocols/case-requests.ts';
import { partMeans, perAttempt, scoreSummary } from './results-record.ts';

/** One agent on one unit: means over the finished trials; null if none of them is scored. */
export const unitResult = z.object({
  unit: z.string(),
  agent: z.string(),
  trials: z.int(),
  scores: z.record(z.enum(scorerKeys), z.number().nullable()),
  /** Trials in which all attempts have a verdict, and those in which all passed; null where the protocol has no verdict. */
  passes: z.object({ scored: z.int(), passed: z.int() }).nullable(),
  /** The failure patterns of its trials, each once. */
  patterns: z.array(z.enum(failurePatterns)),
});
export type UnitResult = z.infer<typeof unitResult>;

const byTools =
  'A unit belongs to each of them that its chain has a tool of, so the groups overlap. Calls are those of their tools, in any unit.';
const byUnits = 'Every unit belongs to one group. Calls are those made in its units.';

/**
 * What a breakdown groups units by: the name in paths and options, where it has an s behind it, the title of a column, the heading
 * of a section, what is grouped, and what counts.
 */
export const breakdowns = [
  { by: 'server', title: 'server', heading: 'Servers', of: 'the units of each server', counting: byTools },
  { by: 'domain', title: 'domain', heading: 'Domains', of: 'the units of each domain', counting: byTools },
  {
    by: 'chain-length',
    title: 'chain length',
    heading: 'Chain lengths',
    of: 'the units with a chain of each length',
    counting: byUnits,
  },
  {
    by: 'server-count',
    title: 'servers',
    heading: 'Numbers of servers',
    of: 'the units with tools of one server, of two, and so on, in their chain',
    counting: byUnits,
  },
  {
    by: 'relation',
    title: 'relation',
    heading: 'Kinds of metamorphic relation',
    of: 'the units of each kind of metamorphic relation: how their two requests differ',
    counting: byUnits,
  },
  {
    by: 'level',
    title: 'level',
    heading: 'Levels',
    of: 'the units of each level of difficulty that their collection states, 1 being easiest; unknown where it states none',
    counting: byUnits,
  },
  {
    by: 'witness-extent',
    title: 'witness',
    heading: 'Witnessed units',
    of: 'the units of whose chain the base agent carried out every step when they were made (full), some (partial), none, or nobody knows (unknown)',
    counting: byUnits,
  },
] as const;
export type Breakdown = (typeof breakdowns)[number];
export type BreakdownBy = Breakdown['by'];

/** The agents on the units of one group. */
export const breakdownGroup = z.object({
  /** Name of the server, domain, kind of relation or extent of the witness, or the number by which units are grouped. */
  name: z.string(),
  /** Units of the evaluation that belong to it. */
  units: z.int(),
  /**
   * How the servers of the group's tools mark errors as errors, over the calls of all agents; null if none of their
   * tools returned an error.
   */
  marksErrors: z.enum(errorMarks).nullable(),
  agents: z.array(
    z.object({
      agent: z.string(),
      scores: z.record(z.enum(scorerKeys), scoreSummary),
      parts: partMeans,
      perAttempt,
      /** Units of the group that the agent has finished. */
      units: z.int(),
      /**
       * Calls, how many of them failed, and how many of those the environment spoilt: by server and domain those of the group's tools in any unit, otherwise those
       * of any tool in the group's units.
       */
      calls: z.int(),
      failedCalls: z.int(),
      spoiltCalls: z.int(),
      /** How many of the failed calls their servers marked as successes. */
      reportedErrors: z.int(),
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

/** Which tools the agent saw in an attempt: the name of the mounting, and how many tools and schema tokens it came to. */
export const mountedInAttempt = z.object({ mounting: z.string(), tools: z.int(), schemaTokens: z.int() });
export type MountedInAttempt = z.infer<typeof mountedInAttempt>;

/** A line of the export: an attempt with its case, unit, agent, trial, the name of its request and the mounted tools. */
export const exportedAttempt = z.object({
  case: z.string(),
  unit: z.string(),
  agent: z.string(),
  trial: z.int(),
  side: requestName,
  ...attemptRecord.shape,
  mounted: mountedInAttempt,
});
export type ExportedAttempt = z.infer<typeof exportedAttempt>;

/** The formats of an export. */
export const exportFormats = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];
