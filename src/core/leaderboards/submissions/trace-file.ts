import { z } from 'zod';
import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import { maxResponseChars } from '#core/evaluation/claim.ts';
import { agentConfiguration, type AgentConfiguration } from '#core/evaluation/config.ts';
import { mostTokens } from '#core/models/prices.ts';
import { scoringParameters } from '#core/scoring/parameters.ts';
import { fuzzyRequest, requestName, taskRequest } from '#core/benchmarks/protocols/case-requests.ts';
import { protocolKey, scorerKeysOfProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { requestSide } from '#core/units/unit.ts';
import { measuredKeys } from '#core/evaluation/attempt-scores.ts';
import { getScorerOrThrow, type AttemptScorerKey } from '#core/evaluation/scorers.ts';
import { trace } from '#core/traces/trace.ts';

/**
 * The file format for an agent's attempts: a header, one line per attempt, a seal. Evaluations and published entries
 * export it, and self-reported submissions upload it. Every line has its own digest, and the seal has that of all, so
 * that any change is visible.
 */

export const traceFileFormat = 2;

const digest = z.string().regex(/^[0-9a-f]{64}$/, '64 hex digits');

export const traceHeader = z.strictObject({
  type: z.literal('traces'),
  format: z.literal(traceFileFormat),
  benchmark: z.string().max(100),
  protocol: protocolKey,
  catalog: z.string().max(100),
  harness: z.string().max(100),
  prompts: z.array(z.string().max(200)).max(100),
  agent: z.string().min(1).max(60),
  configuration: agentConfiguration,
  /** The parameters of the stated scores; absent: the defaults, which every leaderboard has. */
  scoring: scoringParameters.optional(),
  trials: z.int().min(1).max(20),
  split: z.literal('public'),
  seed: z.int().min(0),
  createdAt: z.iso.datetime(),
});
export type TraceHeader = z.infer<typeof traceHeader>;

/** Returns the scorers that the lines of a file state scores of: those of its protocol that need neither a judge nor the request. */
export const listStatedScorerKeys = (protocol: ProtocolKey): readonly AttemptScorerKey[] =>
  measuredKeys.filter(
    (key) => scorerKeysOfProtocol(protocol).includes(key) && !getScorerOrThrow(key).needs.includes('request'),
  );

/**
 * Scores that follow from the line alone, by scorer; a file of an earlier release lacks newer scorers. They are
 * compared with the service's own and never used.
 */
const statedScores = z.partialRecord(z.enum(measuredKeys), z.number().nullable());

const attemptFields = {
  type: z.literal('attempt'),
  unit: z.string().max(100),
  trial: z.int().min(1).max(20),
  side: requestName,
  agent: z.string().min(1).max(60),
  /** The digest of the configuration that made it. */
  configuration: digest,
  scores: statedScores,
  /**
   * Tokens of the attempt, including those of an earlier try that a fault broke (`relaunched`). The trace has only its
   * own.
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

/** A complete file: the seal covers all of its attempts. */
export interface WholeUpload {
  readonly header: TraceHeader;
  readonly seal: string;
}

export const traceFileLine = z.discriminatedUnion('type', [traceHeader, traceLine, traceSeal]);

/** Returns the digest of an attempt's line: of its canonical JSON without the digest itself. */
export const digestLine = (line: Readonly<Record<string, unknown>> | Omit<TraceLine, 'sha256'>): Promise<string> =>
  sha256Hex(canonicalJson(line));

export const configurationDigest = (configuration: AgentConfiguration): Promise<string> =>
  sha256Hex(canonicalJson(configuration));

/** Returns the start of a file's chain of digests: its header's. */
export const sealOfTraceHeader = (header: TraceHeader): Promise<string> => sha256Hex(canonicalJson(header));

/** Returns the chain after the digest of one more attempt's line. */
export const sealAfterLineDigest = (before: string, line: string): Promise<string> => sha256Hex(`${before}\n${line}`);

/** The place of each request in its unit; units have those of one list. */
const placesOfRequests = new Map<string, number>(
  [requestSide.options, [taskRequest, fuzzyRequest]].flatMap((names) => names.map((name, at) => [name, at + 1])),
);

/**
 * Returns the sort key of an attempt: by unit, trial and the order of requests, so that the same attempts give the same seal.
 * A request that a case does not have sorts first.
 */
export const traceLineSortKey = ({ unit, trial, side }: Pick<TraceLine, 'unit' | 'trial' | 'side'>): string =>
  `${unit}.${String(trial).padStart(2, '0')}.${placesOfRequests.get(side) ?? 0}`;
