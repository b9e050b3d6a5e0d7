import { z } from 'zod';
import { parseWithSchemaOrFirstIssue, parseLineWithSchema } from '#core/values/json-line.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import {
  digestLine,
  sealOfTraceHeader,
  sealAfterLineDigest,
  traceFileLine,
  traceHeader,
  type TraceLine,
  type TraceSeal,
} from './trace-file.ts';

/** How far a trace file was read. Reading can resume from it later and elsewhere. */
export const traceReadingState = z.object({
  header: traceHeader.nullable(),
  /** The chain of the digests so far. */
  seal: z.string(),
  /** Whether the seal was read; nothing may follow it. */
  sealed: z.boolean(),
  /** Attempts so far. */
  attempts: z.int(),
});
export type TraceReadingState = z.infer<typeof traceReadingState>;

export const initialReadingState: TraceReadingState = { header: null, seal: '', sealed: false, attempts: 0 };

/** What is wrong with a line: its form, or a mismatch with its digest or seal. */
export interface TraceFault {
  readonly code: 'invalid-line' | 'content-mismatch';
  readonly problem: string;
}

/** The result of a line: the new position, and the attempt in the line, null for the header and the seal. */
export interface TraceLineResult {
  readonly reading: TraceReadingState;
  readonly attempt: TraceLine | null;
}

/** Unknown fields of a line count for its digest. */
const digested = z.looseObject({ sha256: z.string() });

/** Reads the next line of a trace file. Attempts may come in any order, and more than once. */
export async function verifyNextTraceLine(
  reading: TraceReadingState,
  text: string,
): Promise<Result<TraceLineResult, TraceFault>> {
  if (reading.sealed) return makeInvalidLineError('it stands after the seal');
  if (reading.header === null) return startReadingWithHeader(text);
  const json = parseJsonWithinLimits(text);
  if (!json.ok) return makeInvalidLineError(json.problem);
  const line = parseWithSchemaOrFirstIssue(traceFileLine, json.value);
  if (!line.ok) return makeInvalidLineError(line.problem);
  switch (line.value.type) {
    case 'traces':
      return makeInvalidLineError('the header is the first line and no other');
    case 'seal':
      return verifySeal(reading, line.value);
    case 'attempt':
      return verifyAndCountAttempt(reading, line.value, json.value);
  }
}

async function startReadingWithHeader(text: string): Promise<Result<TraceLineResult, TraceFault>> {
  const header = parseLineWithSchema(traceHeader, text);
  if (!header.ok) return makeInvalidLineError(`it is no header of traces: ${header.problem}`);
  const reading = { ...initialReadingState, header: header.value, seal: await sealOfTraceHeader(header.value) };
  return ok({ reading, attempt: null });
}

async function verifyAndCountAttempt(
  reading: TraceReadingState,
  attempt: TraceLine,
  json: unknown,
): Promise<Result<TraceLineResult, TraceFault>> {
  const { sha256, ...content } = digested.parse(json);
  if ((await digestLine(content)) !== sha256)
    return makeContentMismatchError('its digest is not of what it says: the attempt was changed');
  const seal = await sealAfterLineDigest(reading.seal, sha256);
  return ok({ reading: { ...reading, seal, attempts: reading.attempts + 1 }, attempt });
}

function verifySeal(reading: TraceReadingState, { attempts, sha256 }: TraceSeal): Result<TraceLineResult, TraceFault> {
  if (attempts !== reading.attempts)
    return makeContentMismatchError(
      `the seal is of ${attempts} attempts, and ${reading.attempts} stand before it: lines were removed or added`,
    );
  if (sha256 !== reading.seal)
    return makeContentMismatchError(
      'the seal is not of the lines before it: the header or an attempt was changed, removed or replaced',
    );
  return ok({ reading: { ...reading, sealed: true }, attempt: null });
}

const makeInvalidLineError = (problem: string) => err({ code: 'invalid-line', problem } as const);
const makeContentMismatchError = (problem: string) => err({ code: 'content-mismatch', problem } as const);
