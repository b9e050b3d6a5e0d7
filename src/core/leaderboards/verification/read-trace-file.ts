import {
  configurationDigest,
  traceLineSortKey,
  type TraceHeader,
  type TraceLine,
  type TraceSeal,
} from '../submissions/trace-file.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import { initialReadingState, verifyNextTraceLine } from '../submissions/trace-line-reader.ts';
import type { LineProblem } from './line-problem.ts';

/** The first and the last line of a trace file. */
interface TraceFrame {
  readonly header: TraceHeader;
  readonly seal: TraceSeal;
}

/** Called for each valid attempt, with its line number and the header of its file. */
export type TakeAttempt = (attempt: TraceLine, line: number, header: TraceHeader) => void;

/** Reads a trace file as we export it (attempts of one agent, in order) and reports each attempt. */
export async function verifyTraceFileLineByLine(
  lines: AsyncIterable<string> | Iterable<string>,
  take: TakeAttempt,
): Promise<Result<TraceFrame, LineProblem>> {
  let reading = initialReadingState;
  let headerDigest = '';
  let place = '';
  let line = 0;
  for await (const text of lines) {
    line += 1;
    const read = await verifyNextTraceLine(reading, text);
    if (!read.ok) return err({ line, problem: read.problem.problem });
    ({ reading } = read.value);
    const { attempt } = read.value;
    const { header } = reading;
    if (header === null) continue;
    if (attempt === null) headerDigest = await configurationDigest(header.configuration);
    else {
      const problem = attemptOfOtherFileProblem(attempt, header, headerDigest) ?? orderProblem(attempt, place);
      if (problem !== null) return err({ line, problem });
      place = traceLineSortKey(attempt);
      take(attempt, line, header);
    }
  }
  const { header, sealed, attempts, seal: sha256 } = reading;
  if (header === null) return err({ line: line + 1, problem: 'the header is missing' });
  if (!sealed) return err({ line: line + 1, problem: 'the seal is missing: the file was cut' });
  return ok({ header, seal: { type: 'seal', attempts, sha256 } });
}

/** Returns why an attempt does not belong to a file with this header, or null. */
function attemptOfOtherFileProblem(attempt: TraceLine, header: TraceHeader, headerDigest: string): string | null {
  if (attempt.agent !== header.agent) return `it is of the agent ${attempt.agent}, and the file of ${header.agent}`;
  if (attempt.configuration !== headerDigest) return "its configuration is not the header's";
  return attempt.trial > header.trials ? `it is trial ${attempt.trial} of ${header.trials}` : null;
}

function orderProblem(attempt: TraceLine, before: string): string | null {
  const place = traceLineSortKey(attempt);
  if (place === before) return 'the same attempt stands in the line before';
  return place < before ? 'it stands out of order: attempts are sorted by unit, trial and request' : null;
}
