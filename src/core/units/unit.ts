import { z } from 'zod';
import type { ModelCall } from '../ports.ts';
import { auditIssue, pair } from './answers.ts';

/** What became of a unit. Probes are counted apart, whatever became of them. */
export const unitStatus = z.enum(['accepted', 'review', 'rejected', 'lost', 'dropped']);
export type UnitStatus = z.infer<typeof unitStatus>;

/** Which of a unit's two requests. */
export const requestSide = z.enum(['source', 'followUp']);
export type RequestSide = z.infer<typeof requestSide>;

/** The step that a unit takes next. */
export const stage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('catalog-pair') }),
  z.object({ kind: z.literal('scenario') }),
  z.object({ kind: z.literal('grounding') }),
  z.object({ kind: z.literal('pair') }),
  z.object({ kind: z.literal('audit') }),
  z.object({ kind: z.literal('refinement') }),
  z.object({ kind: z.literal('execution'), side: requestSide }),
  z.object({ kind: z.literal('done'), status: unitStatus, reason: z.string() }),
]);
export type Stage = z.infer<typeof stage>;

const passage = z.object({
  id: z.string(),
  text: z.string(),
  source: z.string(),
  licence: z.string().nullable(),
  score: z.number(),
});

/** Whether passages were looked for; `failed` where the index could not be reached, and the unit went on without them. */
export const grounding = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  z.object({ state: z.literal('searched') }),
  z.object({ state: z.literal('failed'), code: z.string(), detail: z.string() }),
]);

/** Candidate tools with what the writer is told of them. */
export const draw = z.object({
  tools: z.array(z.string()),
  known: z.array(z.tuple([z.string(), z.string()])),
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

/** One audit: the critic's grades and issues beside the static check's findings. */
export const auditRecord = z.object({
  semanticEquivalence: z.number(),
  parameterSolvability: z.number(),
  /** The smaller grade, 0..100. */
  score: z.number(),
  issues: z.array(auditIssue),
  suggestions: z.array(z.string()),
  findings: z.array(argumentFinding),
  violations: z.array(z.string()),
});

/** What an execution came to; the whole trace is stored beside the unit. */
export const executionRecord = z.object({
  calls: z.array(z.object({ tool: z.string(), ok: z.boolean() })),
  valuesPassed: z.array(z.tuple([z.string(), z.string()])),
  end: z.string(),
});

export const usage = z.object({
  calls: z.int(),
  promptTokens: z.int(),
  completionTokens: z.int(),
  costUsd: z.number(),
});
export type Usage = z.infer<typeof usage>;

export const noUsage: Usage = { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 };

/** What calls of models cost together. */
export const usageOf = (calls: readonly Pick<ModelCall, 'promptTokens' | 'completionTokens' | 'costUsd'>[]): Usage =>
  calls
    .map(({ promptTokens, completionTokens, costUsd }): Usage => ({
      calls: 1,
      promptTokens,
      completionTokens,
      costUsd,
    }))
    .reduce(addUsage, noUsage);

export const addUsage = (a: Usage, b: Usage): Usage => ({
  calls: a.calls + b.calls,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  costUsd: a.costUsd + b.costUsd,
});

/** A unit on its way through the loop. */
export const unit = z.object({
  id: z.string(),
  round: z.int().min(1),
  index: z.int().min(0),
  probe: z.boolean(),
  /** Counts the committed stages; a commit for another revision changes nothing. */
  revision: z.int().min(0),
  stage,
  /** Candidate sets, in the order in which they are tried; none where the writer sees the whole catalog. */
  draws: z.array(draw),
  /** How many of them were tried, the present one among them. */
  drawn: z.int().min(1),
  scenario: z.object({ request: z.string(), factQuery: z.string() }).nullable(),
  grounding,
  /** The passages that were found; a pair names them by their place, from 1. */
  facts: z.array(passage),
  pair: pair.nullable(),
  audits: z.array(auditRecord),
  /** Earlier wordings, oldest first; each was sent back by the audit of the same position. */
  superseded: z.array(pair.pick({ source: true, followUp: true, arguments: true })),
  executions: z.object({ source: executionRecord.nullable(), followUp: executionRecord.nullable() }),
  faults: z.array(
    z.object({ where: z.enum(['server', 'model', 'index']), name: z.string(), code: z.string(), detail: z.string() }),
  ),
  usage,
  /** Which model answered in which role, and by which prompt (`name@version`). */
  models: z.record(z.string(), z.string()),
  prompts: z.array(z.string()),
});
export type Unit = z.infer<typeof unit>;
