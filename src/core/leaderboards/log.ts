import { canonicalJson, sha256Hex } from '#core/canonical.ts';
import { leaderboardRecord, type LeaderboardRecord, type LogLine, type RecordContent } from './record.ts';

/** The hash before the first line. */
export const emptyLog = '';

/** The log's line after one with this hash. */
export async function nextLine(before: string, line: Omit<LogLine, 'hash'>): Promise<LogLine> {
  return { ...line, hash: await sha256Hex(`${before}\n${canonicalJson(line)}`) };
}

/** The first line that does not follow from those before it, and what is wrong with it; null where all do. */
export async function brokenLine(
  lines: AsyncIterable<LogLine> | Iterable<LogLine>,
): Promise<{ readonly n: number; readonly problem: string } | null> {
  let before = emptyLog;
  let n = 0;
  for await (const { hash, ...line } of lines) {
    n += 1;
    if (line.n !== n) return { n, problem: `it is number ${line.n}; number ${n} is missing` };
    if ((await nextLine(before, line)).hash !== hash)
      return { n, problem: 'its hash does not follow from the line before: one of both was changed' };
    before = hash;
  }
  return null;
}

/** What the log says of a record: SHA-256 of its canonical JSON. */
export const recordHash = (record: RecordContent): Promise<string> => sha256Hex(canonicalJson(record));

const lasting = leaderboardRecord.omit({ entries: true });

/** What the log's first line says of the leaderboard: SHA-256 of the canonical JSON of what it is, without the number of its entries. */
export const openedHash = (leaderboard: LeaderboardRecord): Promise<string> =>
  sha256Hex(canonicalJson(lasting.parse(leaderboard)));
