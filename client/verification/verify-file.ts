import { findDuplicateKey } from '#core/values/json-keys.ts';
import { type ReadBenchmark, parseAndCheckBenchmark } from '#core/leaderboards/verification/read-benchmark.ts';
import type { RecordContent } from '#core/leaderboards/record.ts';
import { type Check, failedCheck, passedCheck, skippedCheck } from '#core/leaderboards/verification/check.ts';
import { FiguresCheck } from '#core/leaderboards/verification/verify-figures.ts';
import { verifyLogAndPublication } from '#core/leaderboards/verification/verify-log.ts';
import { readRecordAndCheckSignature } from '#core/leaderboards/verification/verify-record.ts';
import { compareTracesWithRecord } from '#core/leaderboards/verification/verify-traces.ts';
import { verifyTraceFileLineByLine } from '#core/leaderboards/verification/read-trace-file.ts';
import { CommandError, UsageError } from '../../engine/usage-error.ts';
import { readLines } from '../http/read-lines.ts';
import { z } from 'zod';

/** A verifiable file, recognized by its beginning. */
type VerifiableFile =
  | { readonly kind: 'record'; readonly json: unknown; readonly text: string }
  | { readonly kind: 'traces' }
  | { readonly kind: 'log' };

/** A record is one JSON value of a few kilobytes. */
const recordBytes = 4 * 1024 * 1024;

const traceLike = z.object({ type: z.enum(['traces', 'attempt', 'seal']) });
const logLike = z.object({ n: z.unknown(), kind: z.unknown(), hash: z.unknown() });
const recordLike = z.object({ record: z.unknown(), signature: z.unknown() });

/** Returns the kind of a file, whether or not it is valid. Throws if it is none of them. */
async function recognizeFileOrThrow(name: string, file: Blob): Promise<VerifiableFile> {
  const first = parseJsonOrUndefined(await readFirstLine(file));
  if (traceLike.safeParse(first).success) return { kind: 'traces' };
  if (logLike.safeParse(first).success) return { kind: 'log' };
  const text = file.size <= recordBytes ? await file.text() : '';
  const json = parseJsonOrUndefined(text);
  if (recordLike.safeParse(json).success) return { kind: 'record', json, text };
  throw new CommandError(
    `${name} is neither a signed record (one JSON value), nor a file of traces, nor a leaderboard's log (both JSON Lines)`,
  );
}

async function readFirstLine(file: Blob): Promise<string> {
  for await (const line of readLines(file.stream())) return line;
  return '';
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON. The caller reports an unrecognized file if no other kind matches.
    return undefined;
  }
}

/** A file and what it is checked against. */
export interface VerificationInput {
  readonly name: string;
  readonly file: Blob;
  /** The service's public keys, base64: the current and the retired ones. */
  readonly publicKeys: readonly string[] | null;
  readonly traces: Blob | null;
  readonly log: Blob | null;
  readonly benchmark: Blob | null;
}

/** The findings about a file. */
export interface Verification {
  readonly kind: VerifiableFile['kind'];
  /** What a record describes; null for other files. */
  readonly record: RecordContent | null;
  readonly checks: readonly Check[];
}

/** Checks a record, a trace file or a log against the other given files. Reads only the files. */
export async function verifyFile(given: VerificationInput): Promise<Verification> {
  const found = await recognizeFileOrThrow(given.name, given.file);
  if (found.kind === 'record') {
    const twice = findDuplicateKey(found.text);
    if (twice === null) return verifyRecordFile(found.json, given);
    const detail = `it has the key ${JSON.stringify(twice)} twice in one object: a reader may see one value where another one was signed`;
    return { kind: 'record', record: null, checks: [failedCheck('form', detail)] };
  }
  for (const option of ['publicKeys', 'traces', 'log'] as const)
    if (given[option] !== null) throw new UsageError(`--${optionNames[option]} goes with a signed record`);
  const { kind } = found;
  if (kind === 'traces')
    return { kind, record: null, checks: await verifyTraceFile(given.file, given.benchmark, null) };
  if (given.benchmark !== null) throw new UsageError('--benchmark goes with a signed record or with traces');
  return { kind, record: null, checks: await verifyLogAndPublication(readLines(given.file.stream()), null) };
}

const optionNames = { publicKeys: 'key', traces: 'traces', log: 'log' } as const;

async function verifyRecordFile(
  json: unknown,
  { publicKeys, traces, log, benchmark }: VerificationInput,
): Promise<Verification> {
  if (benchmark !== null && traces === null)
    throw new UsageError('--benchmark computes the figures of the traces again: give --traces too');
  const { record, signed, checks } = await readRecordAndCheckSignature(json, publicKeys);
  if (record === null) return { kind: 'record', record, checks };
  const logChecks =
    log === null
      ? [skippedCheck('log', 'whether the record was published; give --log')]
      : await verifyLogAndPublication(readLines(log.stream()), { record, signed });
  const traceChecks =
    traces === null
      ? [skippedCheck('traces', 'what the figures were computed from; give --traces and --benchmark')]
      : await verifyTraceFile(traces, benchmark, record);
  return { kind: 'record', record, checks: [...checks, ...logChecks, ...traceChecks] };
}

async function verifyTraceFile(traces: Blob, benchmark: Blob | null, record: RecordContent | null): Promise<Check[]> {
  const units = benchmark === null ? null : await parseAndCheckBenchmark(readLines(benchmark.stream()));
  if (units !== null && !units.ok)
    return [failedCheck('benchmark', `line ${units.problem.line}: ${units.problem.problem}`)];
  const figures = units === null ? null : new FiguresCheck(units.value);
  const read = await verifyTraceFileLineByLine(readLines(traces.stream()), (attempt, line, header) =>
    figures?.addAttemptAndKeepFirstProblem(attempt, line, header),
  );
  if (!read.ok) return [failedCheck('traces', `line ${read.problem.line}: ${read.problem.problem}`)];
  const { header, seal } = read.value;
  return [
    passedCheck('traces', `${seal.attempts} attempts, each as its digest has it, under one seal`),
    ...(record === null ? [] : compareTracesWithRecord(record, read.value)),
    ...(units === null ? [] : [makePassedCheckOfUnits(units.value)]),
    ...(figures === null
      ? [skippedCheck('figures', 'whether they follow from the traces; give --benchmark, its public export')]
      : record === null
        ? figures.checksWithoutRecord(header)
        : figures.checksAgainstRecord(record, header)),
  ];
}

const makePassedCheckOfUnits = ({ units, tools }: ReadBenchmark): Check =>
  passedCheck(
    'units',
    `${units.length} units and ${tools.length} tools of the benchmark are what their ids are the hashes of`,
  );
