import { err, ok, type Result } from '#core/result.ts';
import type { LineProblem } from './line-problem.ts';
import { z } from 'zod';
import { parseJsonLine } from '#core/json-line.ts';
import {
  configurationDigest,
  lineDigest,
  placeInFile,
  sealBegin,
  sealNext,
  traceHeader,
  traceLine,
  traceSeal,
  type TraceHeader,
  type TraceLine,
  type TraceSeal,
} from '#core/submissions/trace-file.ts';

/** The first and the last line of a trace file. */
interface TraceFrame {
  readonly header: TraceHeader;
  readonly seal: TraceSeal;
}

/** The whole line counts for its digest. */
const digested = z.looseObject({ sha256: z.string() });
const typed = z.object({ type: z.string() });

/** Called for each valid attempt, with its line number and the header of its file. */
export type TakeAttempt = (attempt: TraceLine, line: number, header: TraceHeader) => void;

/** Reads a trace file and reports each attempt. */
export async function readTraces(
  lines: AsyncIterable<string> | Iterable<string>,
  take: TakeAttempt,
): Promise<Result<TraceFrame, LineProblem>> {
  const reader = new TraceReader(take);
  let line = 0;
  for await (const text of lines) {
    line += 1;
    const problem = await reader.read(text, line);
    if (problem !== null) return err({ line, problem });
  }
  return reader.end(line);
}

class TraceReader {
  readonly #take: TakeAttempt;
  #header: TraceHeader | null = null;
  #configuration = '';
  #chain = '';
  #attempts = 0;
  #place = '';
  #seal: TraceSeal | null = null;

  constructor(take: TakeAttempt) {
    this.#take = take;
  }

  /** Returns what is wrong with the next line, or null. */
  async read(text: string, line: number): Promise<string | null> {
    if (this.#header === null) return this.#begin(text);
    if (this.#seal !== null) return 'it stands after the seal';
    const kind = parseJsonLine(typed, text);
    if (!kind.ok) return kind.problem;
    return kind.value.type === 'seal' ? this.#end(text) : this.#attempt(text, line, this.#header);
  }

  end(line: number): Result<TraceFrame, LineProblem> {
    if (this.#header === null) return err({ line: line + 1, problem: 'the header is missing' });
    if (this.#seal === null) return err({ line: line + 1, problem: 'the seal is missing: the file was cut' });
    return ok({ header: this.#header, seal: this.#seal });
  }

  async #begin(text: string): Promise<string | null> {
    const parsed = parseJsonLine(traceHeader, text);
    if (!parsed.ok) return `it is no header of traces: ${parsed.problem}`;
    this.#header = parsed.value;
    this.#configuration = await configurationDigest(parsed.value.configuration);
    this.#chain = await sealBegin(parsed.value);
    return null;
  }

  async #attempt(text: string, line: number, header: TraceHeader): Promise<string | null> {
    const parsed = parseJsonLine(traceLine, text);
    if (!parsed.ok) return parsed.problem;
    const attempt = parsed.value;
    const { sha256, ...content } = digested.parse(JSON.parse(text));
    if ((await lineDigest(content)) !== sha256) return 'its digest is not of what it says: the attempt was changed';
    if (attempt.agent !== header.agent) return `it is of the agent ${attempt.agent}, and the file of ${header.agent}`;
    if (attempt.configuration !== this.#configuration) return "its configuration is not the header's";
    if (attempt.trial > header.trials) return `it is trial ${attempt.trial} of ${header.trials}`;
    const place = placeInFile(attempt);
    if (place === this.#place) return 'the same attempt stands in the line before';
    if (place < this.#place) return 'it stands out of order: attempts are sorted by unit, trial and request';
    this.#place = place;
    this.#chain = await sealNext(this.#chain, sha256);
    this.#attempts += 1;
    this.#take(attempt, line, header);
    return null;
  }

  async #end(text: string): Promise<string | null> {
    const parsed = parseJsonLine(traceSeal, text);
    if (!parsed.ok) return parsed.problem;
    const seal = parsed.value;
    if (seal.attempts !== this.#attempts)
      return `the seal is of ${seal.attempts} attempts, and ${this.#attempts} stand before it: lines were removed or added`;
    if (seal.sha256 !== this.#chain)
      return 'the seal is not of the lines before it: the header or an attempt was changed, removed or replaced';
    this.#seal = seal;
    return null;
  }
}
