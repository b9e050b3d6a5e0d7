import { z } from 'zod';
import { countRequestsTodayWithoutProof, endOfProofMs, findProof, proofPlace, type HostStanding } from './standing.ts';

/** Returns the host of an address as it is counted and proven: its name without port and final dots. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/\.+$/, '').toLowerCase();

/** Returns the line that proves a host for the workspace whose token it has, in a file or a DNS record. */
const proofLine = (token: string): string => `sextant-proof=${token}`;

/** Returns the address of the file in which a host's tokens are, a line each. */
export const proofFileUrl = (host: string): string => `https://${host}/.well-known/sextant.txt`;

/** Returns the name of the DNS record (TXT) with a token. */
export const proofRecordName = (host: string): string => `_sextant.${host}`;

/** What a client sees of a host. */
export const hostRecord = z.object({
  host: z.string(),
  limit: z
    .int()
    .nullable()
    .describe(
      'Requests that it gets in a day (UTC) of all workspaces together without a proof; null if there is no limit.',
    ),
  unprovenToday: z.int().describe('How many of these it got today, or was promised.'),
  proof: z
    .object({
      by: proofPlace,
      since: z.string(),
      found: z.string().describe('When the token was last found.'),
      until: z.string().describe('When the proof ends unless the token is found again.'),
    })
    .nullable()
    .describe('Null if the workspace has not proven that the host is its own.'),
  line: z.string().describe('The line that proves it. It holds for this workspace alone, and is no secret.'),
  file: z.string().describe('Where a file with that line is looked for, among lines of others.'),
  record: z.string().describe('The name of the DNS record (TXT) in which the line is looked for.'),
});
export type HostRecord = z.infer<typeof hostRecord>;

/** Returns whether one of the lines of a file is the one that proves a host. */
export const hasProofLine = (lines: readonly string[], line: string): boolean =>
  lines.some((each) => each.trim() === line);

/** Returns what a workspace sees of a host. `limit` is 0 where there is none. */
export function makeShownHost(
  standing: HostStanding,
  { workspace, token, limit }: { readonly workspace: string; readonly token: string; readonly limit: number },
  nowMs: number,
): HostRecord {
  const { host } = standing;
  const known = findProof(standing, workspace, nowMs);
  const at = (ms: number): string => new Date(ms).toISOString();
  return {
    host,
    limit: limit === 0 ? null : limit,
    unprovenToday: countRequestsTodayWithoutProof(standing, nowMs),
    proof:
      known === null
        ? null
        : { by: known.by, since: at(known.sinceMs), found: at(known.foundMs), until: at(endOfProofMs(known)) },
    line: proofLine(token),
    file: proofFileUrl(host),
    record: proofRecordName(host),
  };
}
