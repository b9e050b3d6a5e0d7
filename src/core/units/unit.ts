import { foundPassage } from '#core/similarity/knowledge/passage-record.ts';
import { z } from 'zod';
import { usage } from '#core/models/usage.ts';
import { failureTally } from '#core/traces/failure-counts.ts';
import { auditIssue, factVerdict, pair, scenario, unwritableTool } from './answers.ts';
import { decision } from './review.ts';
import { unitRelation } from './relation-kinds.ts';
import { taskRecord } from './task-record.ts';
import { witness } from './witness.ts';

/** The final state of a unit. Probes are counted separately, in any state. Only variants end as `duplicate`. */
export const unitStatus = z.enum(['accepted', 'review', 'rejected', 'lost', 'dropped', 'duplicate']);
export type UnitStatus = z.infer<typeof unitStatus>;

/** Whether a round drew the unit, or an evolution wrote it from others. */
export const unitOrigin = z.enum(['explored', 'evolved']);
export type UnitOrigin = z.infer<typeof unitOrigin>;

/** Which of a unit's two requests. */
export const requestSide = z.enum(['source', 'followUp']);
export type RequestSide = z.infer<typeof requestSide>;

/** The next step of a unit. */
export const stage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('catalog-pair') }),
  z.object({ kind: z.literal('scenario') }),
  /** Like `scenario`, but written from other units. */
  z.object({ kind: z.literal('variant') }),
  z.object({ kind: z.literal('grounding') }),
  z.object({ kind: z.literal('pair') }),
  z.object({ kind: z.literal('audit') }),
  z.object({ kind: z.literal('refinement') }),
  /** The critic grades a task. */
  z.object({ kind: z.literal('quality') }),
  /** The writer puts a task into words that say what is wanted and not how. */
  z.object({ kind: z.literal('fuzzy') }),
  /** A person decides while the round waits. */
  z.object({ kind: z.literal('waiting') }),
  /** A variant is compared with the kept units. */
  z.object({ kind: z.literal('distinct') }),
  z.object({ kind: z.literal('execution'), side: requestSide }),
  z.object({ kind: z.literal('done'), status: unitStatus, reason: z.string() }),
]);
export type Stage = z.infer<typeof stage>;

/** Whether passages were searched; `failed` if the index could not be reached and the unit continued without them. */
export const grounding = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  z.object({ state: z.literal('searched') }),
  z.object({ state: z.literal('failed'), code: z.string(), detail: z.string() }),
]);

/** Candidate tools, with what the writer is told about them. */
export const draw = z.object({
  tools: z.array(z.string()),
  known: z.array(z.tuple([z.string(), z.string()])),
  /** The near siblings of its only tool, for which alone the requests are written; absent for sets of several tools. */
  siblings: z.array(z.string()).min(1).optional(),
  /** Set if the requests are to look as if its only tool served them, though no tool does. */
  negative: z.literal(true).optional(),
});
export type Draw = z.infer<typeof draw>;

/** The static check's finding on one argument. */
export const argumentFinding = z.object({
  step: z.int(),
  tool: z.string(),
  argument: z.string(),
  verdict: z.enum(['yes', 'no', 'unknown']),
  reason: z.string(),
});

/** One audit: the critic's grades and issues, and the static check's findings. */
export const auditRecord = z.object({
  semanticEquivalence: z.number(),
  parameterSolvability: z.number(),
  /** The lower of the two grades, 0..100. */
  score: z.number(),
  issues: z.array(auditIssue),
  suggestions: z.array(z.string()),
  facts: z.array(factVerdict),
  findings: z.array(argumentFinding),
  violations: z.array(z.string()),
});

/** The result of an execution; the whole trace is stored separately. */
export const executionRecord = z.object({
  /** `turn`: the model turn that issued the call; absent in units of earlier releases. */
  calls: z.array(z.object({ tool: z.string(), ok: z.boolean(), turn: z.int().min(1).optional() })),
  valuesPassed: z.array(z.tuple([z.string(), z.string()])),
  /** What the tools of the chain answered where they failed: the first answers, and of each its beginning. */
  errors: z.array(z.object({ tool: z.string(), text: z.string() })),
  /** Absent in units of earlier releases. */
  failures: failureTally.optional(),
  end: z.string(),
});
export type ExecutionRecord = z.infer<typeof executionRecord>;

const executions = z.object({ source: executionRecord.nullable(), followUp: executionRecord.nullable() });
const wording = pair.pick({ source: true, followUp: true, arguments: true });

/** A wording that was executed and not fully witnessed, before another one was tried for that reason. */
export const earlierExecution = z.object({ wording, audit: auditRecord, executions, witness });
export type EarlierExecution = z.infer<typeof earlierExecution>;

/** How a variant follows from its seeds: their chain with other entities, a longer one, or one made of two. */
export const variantKind = z.enum(['entities', 'extended', 'recombined']);
export type VariantKind = z.infer<typeof variantKind>;

/** The origin of a variant. */
export const lineage = z.object({
  /** The number of the evolution that wrote it, from 1. */
  evolution: z.int().min(1),
  kind: variantKind,
  /** The units that it was written from, with their chains: one, or two for a recombination. */
  seeds: z
    .array(z.object({ unit: z.string(), chain: z.array(z.string()) }))
    .min(1)
    .max(2),
});
export type Lineage = z.infer<typeof lineage>;

/** A unit on its way through the loop. */
export const unit = z.object({
  id: z.string(),
  /** The round that it was drawn for; for a variant, the batch of its evolution. */
  round: z.int().min(1),
  index: z.int().min(0),
  probe: z.boolean(),
  /** Null for an explored unit. */
  lineage: lineage.nullable(),
  /** Counts the committed stages; a commit for another revision changes nothing. */
  revision: z.int().min(0),
  stage,
  /** Candidate sets in the order in which they are tried; none if the writer sees the whole catalog. */
  draws: z.array(draw),
  /** How many of them were tried, including the current one. */
  drawn: z.int().min(1),
  scenario: scenario.nullable(),
  /** The candidate tools for which the writer could not write; missing in units of earlier releases. */
  unwritable: z.array(unwritableTool).default([]),
  grounding,
  /** The passages that were found; a pair refers to them by index, from 1. */
  facts: z.array(foundPassage),
  /** How the requests of its pair differ; null for units of earlier releases. */
  relation: unitRelation.nullable(),
  pair: pair.nullable(),
  /** Null for a unit that stays a pair; missing in units of earlier releases. */
  task: taskRecord.nullable().default(null),
  audits: z.array(auditRecord),
  /** Earlier wordings, oldest first, each with the audit at the same index. */
  superseded: z.array(wording),
  /** People's decisions on it, oldest first. Only the last one can be final. */
  decisions: z.array(decision),
  /** The kept unit of which it is a near-duplicate; such a unit is left out of benchmarks. */
  duplicateOf: z.object({ unit: z.string(), cosine: z.number().nullable() }).nullable(),
  executions,
  /** Which steps of the chain the executions carried out; null before both, and for units of earlier releases. */
  witness: witness.nullable(),
  /** Set once the pair was reworded because its execution had not witnessed all of the chain. */
  earlierExecution: earlierExecution.nullable(),
  /** What dropped it, and the servers' faults that spoilt calls of its executions. */
  faults: z.array(
    z.object({
      where: z.enum(['server', 'model', 'index', 'service']),
      name: z.string(),
      code: z.string(),
      detail: z.string(),
    }),
  ),
  usage,
  /** Which model answered in which role, with which prompt (`name@version`). */
  models: z.record(z.string(), z.string()),
  prompts: z.array(z.string()),
});
export type Unit = z.infer<typeof unit>;
