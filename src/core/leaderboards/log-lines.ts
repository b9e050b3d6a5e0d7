import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import { buildByTier } from './submissions/state.ts';
import { makeLeaderboardRecord } from './public-view.ts';
import {
  leaderboardRecord,
  type LeaderboardCreation,
  type LeaderboardRecord,
  type LogLine,
  type RecordContent,
} from './record.ts';

/** The hash before the first line. */
export const emptyLogHash = '';

/** A line of the log without its number and hash. */
export type NewLogLine = Omit<LogLine, 'n' | 'hash'>;

/** Returns the log's next line after one with this hash. */
export async function logLineWithChainedHash(before: string, line: Omit<LogLine, 'hash'>): Promise<LogLine> {
  return { ...line, hash: await sha256Hex(`${before}\n${canonicalJson(line)}`) };
}

/** Returns the first line that does not follow from those before it, and what is wrong with it; null if all do. */
export async function findFirstBrokenLogLine(
  lines: AsyncIterable<LogLine> | Iterable<LogLine>,
): Promise<{ readonly n: number; readonly problem: string } | null> {
  let before = emptyLogHash;
  let n = 0;
  for await (const { hash, ...line } of lines) {
    n += 1;
    if (line.n !== n) return { n, problem: `it is number ${line.n}; number ${n} is missing` };
    if ((await logLineWithChainedHash(before, line)).hash !== hash)
      return { n, problem: 'its hash does not follow from the line before: one of both was changed' };
    before = hash;
  }
  return null;
}

/** Returns the digest of a record for the log: SHA-256 of its canonical JSON. */
export const hashRecord = (record: RecordContent): Promise<string> => sha256Hex(canonicalJson(record));

const lasting = leaderboardRecord.omit({ entries: true });

/**
 * Returns the digest of the leaderboard for the log's first line: SHA-256 of the canonical JSON of its record, without
 * the number of its entries.
 */
export const hashLeaderboardWithoutEntryCounts = (leaderboard: LeaderboardRecord): Promise<string> =>
  sha256Hex(canonicalJson(lasting.parse(leaderboard)));

/** Returns the line that states a leaderboard's definition, when it is opened or when a release changes its metrics. */
export const makeLeaderboardDefinitionLogLine = async (
  kind: 'opened' | 'reordered',
  creation: LeaderboardCreation,
  { at, reason }: Pick<LogLine, 'at' | 'reason'>,
): Promise<NewLogLine> => ({
  at,
  kind,
  entry: null,
  name: creation.name,
  record: await hashLeaderboardWithoutEntryCounts(
    makeLeaderboardRecord(
      creation,
      buildByTier(() => 0),
    ),
  ),
  reason,
});
