import { unitCounts } from '#core/exploration/counts.ts';
import { z } from 'zod';
import { decision } from '#core/evaluation/decision.ts';
import { evaluationProgress } from '#core/evaluation/progress-record.ts';
import { variantCounts } from '#core/exploration/evolution/record.ts';
import { runStatus } from '#core/exploration/runs.ts';
import { groundingCounts } from '#core/units/grounding-counts.ts';
import { roundReading } from '#core/exploration/reading-record.ts';
import { loadRecord } from '#core/similarity/knowledge/record.ts';
import { submissionState } from '#core/leaderboards/submissions/state.ts';
import { usage } from '#core/models/usage.ts';
import { attemptScorerKeys } from '#core/evaluation/scorers.ts';
import { requestName } from '#core/benchmarks/protocols/case-requests.ts';
import { requestSide, unitStatus } from '#core/units/unit.ts';

/** Events of loading a knowledge index; `load` identifies one upload among simultaneous ones. */
const loading = z.object({ load: z.string(), namespace: z.string() });

/**
 * All events of runs and knowledge indexes. This one union is the log, the stream, and the schema of both. `id` counts
 * from 1 within a run without gaps; `at` is ISO 8601.
 */
const body = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run.created') }),
  z.object({ type: z.literal('run.driven'), driver: z.int() }),
  /** With a reason if the run paused by itself, since an endpoint refused all requests. */
  z.object({ type: z.literal('run.paused'), reason: z.string().optional() }),
  z.object({ type: z.literal('run.resumed') }),
  /** The endpoint of a model takes no requests until then; what needs it stays undone for so long. */
  z.object({ type: z.literal('run.waiting'), model: z.string(), until: z.string() }),
  z.object({ type: z.literal('run.ended'), status: runStatus, reason: z.string() }),
  z.object({ type: z.literal('grounding.unavailable'), reason: z.string() }),
  /** The fact index failed for a unit, which continues without facts. */
  z.object({ type: z.literal('grounding.failed'), unit: z.string(), code: z.string(), detail: z.string() }),
  z.object({ type: z.literal('round.opened'), round: z.int(), units: z.int() }),
  z.object({ type: z.literal('unit.redrawn'), unit: z.string(), draw: z.int() }),
  z.object({ type: z.literal('unit.written'), unit: z.string(), chain: z.array(z.string()) }),
  z.object({
    type: z.literal('unit.audited'),
    unit: z.string(),
    score: z.number(),
    unsolved: z.int(),
    next: z.string(),
  }),
  z.object({
    type: z.literal('unit.executed'),
    unit: z.string(),
    side: requestSide,
    calls: z.int(),
    failures: z.int(),
  }),
  z.object({
    type: z.literal('unit.ended'),
    unit: z.string(),
    probe: z.boolean(),
    status: unitStatus,
    reason: z.string(),
  }),
  /** The round waits for a person's decision. */
  z.object({ type: z.literal('review.awaited'), unit: z.string(), score: z.number() }),
  z.object({
    type: z.literal('review.decided'),
    unit: z.string(),
    decision: z.enum(['approve', 'edit', 'reject']),
    reviewer: z.string(),
  }),
  /** The final state of a unit after its decision was carried out. */
  z.object({ type: z.literal('review.settled'), unit: z.string(), status: unitStatus }),
  /** Running totals: accepted units that were compared, and how many of them are near-duplicates. */
  z.object({ type: z.literal('units.compared'), units: z.int(), duplicates: z.int() }),
  /** The vector index failed, or its embedder is unfit: units are compared by their tools and words only. */
  z.object({ type: z.literal('comparison.unavailable'), code: z.string(), detail: z.string() }),
  z.object({ type: z.literal('batch.opened'), batch: z.int(), units: z.int() }),
  z.object({
    type: z.literal('batch.committed'),
    batch: z.int(),
    variants: variantCounts,
    /** Accepted units that are not near-duplicates of each other, and their target number. */
    kept: z.int(),
    target: z.int(),
    usage,
  }),
  z.object({ type: z.literal('server.down'), server: z.string(), untilRound: z.int() }),
  z.object({ type: z.literal('server.retried'), server: z.string() }),
  z.object({ type: z.literal('server.recovered'), server: z.string() }),
  z.object({
    type: z.literal('round.committed'),
    round: z.int(),
    units: unitCounts,
    reading: roundReading,
    /** Counts over all units of committed rounds. Events of earlier versions lack it. */
    grounding: groundingCounts.default({ searched: 0, grounded: 0, failed: 0 }),
    usage,
    /** Rows that the run has written to its storage. */
    rowsWritten: z.int(),
  }),
  z.object({
    type: z.literal('attempt.claimed'),
    attempt: z.string(),
    case: z.string(),
    side: requestName,
    deadline: z.string(),
  }),
  z.object({ type: z.literal('attempt.expired'), attempt: z.string(), case: z.string(), side: requestName }),
  z.object({ type: z.literal('attempt.given-back'), attempt: z.string(), case: z.string(), side: requestName }),
  /** The agent crashed before it had an answer; the attempt is held. */
  z.object({ type: z.literal('attempt.crashed'), attempt: z.string(), case: z.string(), side: requestName }),
  /** A held attempt was put back into the queue, or scored with an empty response. */
  z.object({
    type: z.literal('attempt.settled'),
    attempt: z.string(),
    case: z.string(),
    side: requestName,
    as: z.enum(['retried', 'failed']),
  }),
  /** A request came to the attempt's endpoint without its token. */
  z.object({ type: z.literal('attempt.intruded'), attempt: z.string() }),
  z.object({
    type: z.literal('attempt.relaunched'),
    case: z.string(),
    side: requestName,
    code: z.string(),
    detail: z.string(),
  }),
  z.object({
    type: z.literal('attempt.ended'),
    case: z.string(),
    agent: z.string(),
    unit: z.string(),
    side: requestName,
    /** False if an infrastructure fault broke it twice. */
    evaluated: z.boolean(),
    calls: z.int(),
    end: z.string(),
  }),
  z.object({
    type: z.literal('attempt.judged'),
    case: z.string(),
    side: requestName,
    /** The scores of the judges; null if unscored. Events of release 0.2.0 lack them. */
    scores: z.partialRecord(z.enum(attemptScorerKeys), z.number().nullable()).optional(),
  }),
  /** A stage of a case failed repeatedly for a reason of ours: its attempt is not evaluated, or has no scores. */
  z.object({
    type: z.literal('case.set-aside'),
    case: z.string(),
    side: requestName,
    stage: z.enum(['attempt', 'judgement']),
    detail: z.string(),
  }),
  z.object({
    type: z.literal('unit.evaluated'),
    unit: z.string(),
    progress: evaluationProgress,
    usage,
    judgeUsage: usage,
  }),
  /** The next units of an evaluation were drawn, so many, after what those before them told; or none, because they told enough. */
  z.object({ type: z.literal('units.drawn'), batch: z.int(), units: z.int(), decision }),
  /** A submission changed its state. */
  z.object({ type: z.literal('submission.changed'), state: submissionState, reason: z.string() }),
  z.object({ type: z.literal('submission.progressed'), progress: evaluationProgress }),
  /** A batch is stored; the numbers are those of the load so far. */
  loading.extend(loadRecord.shape).extend({ type: z.literal('passages.loaded') }),
  loading.extend(loadRecord.shape).extend({ type: z.literal('load.ended') }),
  /** `line` is the last loaded line; loaded passages stay. */
  loading.extend({ type: z.literal('load.failed'), line: z.int(), detail: z.string() }),
  z.object({ type: z.literal('namespace.cleared'), namespace: z.string() }),
]);

export type EventBody = z.infer<typeof body>;

export const runEvent = z.object({ id: z.int().min(1), at: z.string(), event: body });
export type RunEvent = z.infer<typeof runEvent>;
