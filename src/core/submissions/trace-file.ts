import { z } from 'zod';
import { canonicalJson, sha256Hex } from '#core/canonical.ts';
import { maxResponseChars } from '#core/evaluation/claim.ts';
import { agentConfiguration, type AgentConfiguration } from '#core/evaluation/config.ts';
import { mostTokens } from '#core/models/prices.ts';
import { measuredKeys } from '#core/scoring/attempt-scores.ts';
import { requestSide } from '#core/units/unit.ts';
import { trace } from '#core/traces/trace.ts';

/**
 * The file that an agent's attempts are taken along in: a header, an attempt a line, a seal. An evaluation and a published entry export
 * it, a self-reported submission uploads it. Every line has its own digest, and the seal has that of all, so that a change is seen.
 */

export const traceFileFormat = 2;

const digest = z.string().regex(/^[0-9a-f]{64}$/, '64 hex digits');

export const traceHeader = z.strictObject({
  type: z.literal('traces'),
  format: z.literal(traceFileFormat),
  benchmark: z.string().max(100),
  protocol: z.string().max(60),
  catalog: z.string().max(100),
  harness: z.string().max(100),
  prompts: z.array(z.string().max(200)).max(100),
  agent: z.string().min(1).max(60),
  configuration: agentConfiguration,
  trials: z.int().min(1).max(20),
  split: z.literal('public'),
  seed: z.int().min(0),
  createdAt: z.iso.datetime(),
});
export type TraceHeader = z.infer<typeof traceHeader>;

/** Scores that a reader can compute from the line alone, by scorer; a file of an earlier release lacks the scorers that came later. They are compared with what the service computes, and never taken over. */
const statedScores = z.partialRecord(z.enum(measuredKeys), z.number().nullable());

const attemptFields = {
  type: z.literal('attempt'),
  unit: z.string().max(100),
  trial: z.int().min(1).max(20),
  side: requestSide,
  agent: z.string().min(1).max(60),
  /** The digest of the configuration that made it. */
  configuration: digest,
  scores: statedScores,
  /**
   * Tokens that the attempt took, with those of a try before it that an infrastructure fault broke (`relaunched`). Those of the trace alone
   * stand in the trace.
   */
  spent: z.strictObject({
    promptTokens: z.int().min(0).max(mostTokens),
    completionTokens: z.int().min(0).max(mostTokens),
    relaunched: z.boolean(),
  }),
  trace: trace.extend({ finalText: z.string().max(maxResponseChars), startedAt: z.iso.datetime() }),
};

export const traceLine = z.strictObject({ ...attemptFields, sha256: digest });
export type TraceLine = z.infer<typeof traceLine>;

export const traceSeal = z.strictObject({ type: z.literal('seal'), attempts: z.int().min(0), sha256: digest });
export type TraceSeal = z.infer<typeof traceSeal>;

/** A file of which everything has come: the seal stands for all of its attempts. */
export interface WholeUpload {
  readonly header: TraceHeader;
  readonly seal: string;
}

export const traceFileLine = z.discriminatedUnion('type', [traceHeader, traceLine, traceSeal]);

/** The digest of an attempt's line: of its canonical JSON without the digest itself. */
export const lineDigest = (line: Readonly<Record<string, unknown>> | Omit<TraceLine, 'sha256'>): Promise<string> =>
  sha256Hex(canonicalJson(line));

export const configurationDigest = (configuration: AgentConfiguration): Promise<string> =>
  sha256Hex(canonicalJson(configuration));

/** Where the chain of a file's digests begins: with its header. */
export const sealBegin = (header: TraceHeader): Promise<string> => sha256Hex(canonicalJson(header));

/** The chain after one more attempt. */
export const sealNext = (before: string, line: string): Promise<string> => sha256Hex(`${before}\n${line}`);

/** Attempts stand in a file by unit, trial and side, so that the same attempts give the same seal. */
export const placeInFile = ({ unit, trial, side }: Pick<TraceLine, 'unit' | 'trial' | 'side'>): string =>
  `${unit}.${String(trial).padStart(2, '0')}.${side === 'source' ? 1 : 2}`;
