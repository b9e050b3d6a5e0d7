import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import { parseLineWithSchema } from '#core/values/json-line.ts';
import { findFirstBrokenLogLine, emptyLogHash } from '../log-lines.ts';
import { logLine, type LogLine, type RecordContent } from '../record.ts';
import { failedCheck, passedCheck, skippedCheck, type Check } from './check.ts';

/** Fields that this version does not know count for the hash too. */
const anyLogLine = logLine.loose();

/** A record that a log should contain. */
export interface Sought {
  readonly record: RecordContent;
  /** The record as it was signed. */
  readonly signed: unknown;
}

/** Reads a log line by line and checks that it is unbroken and contains the line of a record's publication. */
export async function verifyLogAndPublication(
  lines: AsyncIterable<string> | Iterable<string>,
  sought: Sought | null,
): Promise<Check[]> {
  const hash = sought === null ? null : await sha256Hex(canonicalJson(sought.signed));
  let problem: { readonly n: number; readonly problem: string } | null = null;
  let last: LogLine | null = null;
  let found: { readonly line: LogLine; readonly before: string } | null = null;
  const since: LogLine[] = [];
  const readLines = async function* (): AsyncGenerator<LogLine, void, undefined> {
    let n = 0;
    for await (const text of lines) {
      n += 1;
      const parsed = parseLineWithSchema(anyLogLine, text);
      if (!parsed.ok) {
        problem = { n, problem: parsed.problem };
        return;
      }
      const line = parsed.value;
      if (hash !== null && line.kind === 'published' && line.record === hash)
        found = { line, before: last?.hash ?? emptyLogHash };
      else if (found !== null && line.entry === sought?.record.entry.id) since.push(line);
      last = line;
      yield line;
    }
  };
  const first = (await findFirstBrokenLogLine(readLines())) ?? problem;
  if (first !== null) return [failedCheck('log', `line ${first.n}: ${first.problem}`)];
  return [...logEndChecks(last), ...(sought === null ? [] : publicationChecks(sought.record, found, since))];
}

function logEndChecks(last: LogLine | null): Check[] {
  if (last === null) return [failedCheck('log', 'it has no line')];
  return [
    passedCheck('log', `its ${last.n} lines follow from each other`),
    skippedCheck(
      'end of the log',
      `lines after it cannot be missed here; compare its last hash with others': ${last.hash}`,
    ),
  ];
}

function publicationChecks(
  { entry, logBefore }: RecordContent,
  found: { readonly line: LogLine; readonly before: string } | null,
  since: readonly LogLine[],
): Check[] {
  if (found === null)
    return [
      failedCheck(
        'record in the log',
        'no line of the log publishes this record: it is missing, or the log was cut before it',
      ),
    ];
  const { line, before } = found;
  if (line.entry !== entry.id)
    return [
      failedCheck(
        'record in the log',
        `line ${line.n} publishes it as ${line.entry ?? 'no entry'}, and it is of ${entry.id}`,
      ),
    ];
  const change = since.at(-1);
  return [
    passedCheck('record in the log', `line ${line.n} publishes it, ${line.at}`),
    before === logBefore
      ? passedCheck('place in the log', `the record names the hash before line ${line.n}`)
      : failedCheck(
          'place in the log',
          `the record was made after ${logBefore || 'nothing'}, and line ${line.n} stands after ${before || 'nothing'}`,
        ),
    ...(change === undefined
      ? []
      : [passedCheck('since then', `line ${change.n}, ${change.at}: ${change.kind}, ${change.reason}`)]),
  ];
}
