import { canonicalJson, sha256Hex } from '#core/canonical.ts';
import { parseJsonLine } from '#core/json-line.ts';
import { brokenLine, emptyLog } from '#core/leaderboards/log.ts';
import { logLine, type LogLine, type RecordContent } from '#core/leaderboards/record.ts';
import { broken, holds, unchecked, type Check } from './verification.ts';

/** Fields that this version does not know count for the hash too. */
const anyLogLine = logLine.loose();

/** A record that a log should contain. */
export interface Sought {
  readonly record: RecordContent;
  /** The record as it was signed. */
  readonly signed: unknown;
}

/** Reads a log line by line and checks that it is unbroken and contains the line of a record's publication. */
export async function verifyLog(
  lines: AsyncIterable<string> | Iterable<string>,
  sought: Sought | null,
): Promise<Check[]> {
  const hash = sought === null ? null : await sha256Hex(canonicalJson(sought.signed));
  let problem: { readonly n: number; readonly problem: string } | null = null;
  let last: LogLine | null = null;
  let found: { readonly line: LogLine; readonly before: string } | null = null;
  const since: LogLine[] = [];
  const read = async function* (): AsyncGenerator<LogLine, void, undefined> {
    let n = 0;
    for await (const text of lines) {
      n += 1;
      const parsed = parseJsonLine(anyLogLine, text);
      if (!parsed.ok) {
        problem = { n, problem: parsed.problem };
        return;
      }
      const line = parsed.value;
      if (hash !== null && line.kind === 'published' && line.record === hash)
        found = { line, before: last?.hash ?? emptyLog };
      else if (found !== null && line.entry === sought?.record.entry.id) since.push(line);
      last = line;
      yield line;
    }
  };
  const first = (await brokenLine(read())) ?? problem;
  if (first !== null) return [broken('log', `line ${first.n}: ${first.problem}`)];
  return [...wholeChecks(last), ...(sought === null ? [] : recordChecks(sought.record, found, since))];
}

function wholeChecks(last: LogLine | null): Check[] {
  if (last === null) return [broken('log', 'it has no line')];
  return [
    holds('log', `its ${last.n} lines follow from each other`),
    unchecked(
      'end of the log',
      `lines after it cannot be missed here; compare its last hash with others': ${last.hash}`,
    ),
  ];
}

function recordChecks(
  { entry, logBefore }: RecordContent,
  found: { readonly line: LogLine; readonly before: string } | null,
  since: readonly LogLine[],
): Check[] {
  if (found === null)
    return [
      broken(
        'record in the log',
        'no line of the log publishes this record: it is missing, or the log was cut before it',
      ),
    ];
  const { line, before } = found;
  if (line.entry !== entry.id)
    return [
      broken(
        'record in the log',
        `line ${line.n} publishes it as ${line.entry ?? 'no entry'}, and it is of ${entry.id}`,
      ),
    ];
  const change = since.at(-1);
  return [
    holds('record in the log', `line ${line.n} publishes it, ${line.at}`),
    before === logBefore
      ? holds('place in the log', `the record names the hash before line ${line.n}`)
      : broken(
          'place in the log',
          `the record was made after ${logBefore || 'nothing'}, and line ${line.n} stands after ${before || 'nothing'}`,
        ),
    ...(change === undefined
      ? []
      : [holds('since then', `line ${change.n}, ${change.at}: ${change.kind}, ${change.reason}`)]),
  ];
}
