import { z } from 'zod';
import type { ExportFormat } from '#core/evaluation/breakdown-record.ts';
import type { RankingMetric } from '#core/leaderboards/metrics.ts';
import {
  boardSubmission,
  entry,
  entryPlace,
  leaderboardRecord,
  listedLeaderboard,
  rankedEntry,
  signedRecord,
  type BoardSubmission,
  type Entry,
  type LeaderboardRecord,
  type ListedLeaderboard,
  type newLeaderboard,
  type RankedEntry,
  type SignedRecord,
} from '#core/leaderboards/record.ts';
import type { SubmissionState } from '#core/submissions/state.ts';
import { piecesOf } from '../http/lines.ts';
import { items, type ListOptions } from '../http/pages.ts';
import { path, type Call, type Transport } from '../http/transport.ts';

/** What a leaderboard should be; the benchmark and a name are all that it needs. */
export type NewLeaderboard = z.input<typeof newLeaderboard>;

const placedEntry = z.object({ entry, place: entryPlace });
/** An entry with why it is where it is. */
export type PlacedEntry = z.infer<typeof placedEntry>;

const pastEntry = z.object({ leaderboard: z.string(), benchmark: z.string(), entry });
/** An entry of an agent on a leaderboard, its present one or one of a benchmark before. */
export type PastEntry = z.infer<typeof pastEntry>;

const entries = z.object({ items: z.array(entry) });
const history = z.object({ items: z.array(pastEntry) });
const signingKey = z.object({
  algorithm: z.string(),
  publicKey: z.string(),
  retired: z.array(z.object({ publicKey: z.string(), until: z.string() })),
});
/** What records are signed with: the public key in base64. */
export type SigningKeyRecord = z.infer<typeof signingKey>;

export interface RankedOptions extends ListOptions {
  /** What ranks; `execution` without it. */
  readonly metric?: RankingMetric | undefined;
}

const textReader = (transport: Transport) =>
  async function* (at: string, query: Call['query'], signal: AbortSignal | undefined) {
    const { body } = await transport.stream({ method: 'GET', path: at, query: query ?? {}, repeatable: true, signal });
    if (body !== null) yield* piecesOf(body);
  };

/** Leaderboards. What they show needs no key; creating one and seeing its submissions does. */
export const leaderboardsOf = (transport: Transport) => {
  const text = textReader(transport);
  return {
    /** Opens the leaderboard of a benchmark. There is one for a benchmark, so this can be repeated. */
    create: (leaderboard: NewLeaderboard): Promise<LeaderboardRecord> =>
      transport.json(leaderboardRecord, {
        method: 'POST',
        path: '/v1/leaderboards',
        json: leaderboard,
        repeatable: true,
      }),

    list: (options?: ListOptions): AsyncGenerator<ListedLeaderboard, void, undefined> =>
      items(transport, listedLeaderboard, '/v1/leaderboards', {}, options),

    get: (id: string): Promise<LeaderboardRecord> =>
      transport.json(leaderboardRecord, { method: 'GET', path: path`/v1/leaderboards/${id}`, repeatable: true }),

    /** The entries in the order of a metric, the best first. */
    entries: (id: string, { metric, ...options }: RankedOptions = {}): AsyncGenerator<RankedEntry, void, undefined> =>
      items(transport, rankedEntry, path`/v1/leaderboards/${id}/entries`, { metric }, options),

    entry: (id: string, wanted: string, metric?: RankingMetric): Promise<PlacedEntry> =>
      transport.json(placedEntry, {
        method: 'GET',
        path: path`/v1/leaderboards/${id}/entries/${wanted}`,
        query: { metric },
        repeatable: true,
      }),

    /** What an entry is vouched for with. */
    record: (id: string, wanted: string): Promise<SignedRecord> =>
      transport.json(signedRecord, {
        method: 'GET',
        path: path`/v1/leaderboards/${id}/entries/${wanted}/record`,
        repeatable: true,
      }),

    /** The public traces of an entry, as the text of the file arrives. */
    traces: (id: string, wanted: string, signal?: AbortSignal): AsyncGenerator<string, void, undefined> =>
      text(path`/v1/leaderboards/${id}/entries/${wanted}/traces`, {}, signal),

    /** The entries of the same name and submitter here and on the leaderboards of benchmarks before, the newest first. */
    async history(id: string, wanted: string): Promise<PastEntry[]> {
      const at = path`/v1/leaderboards/${id}/entries/${wanted}/history`;
      return (await transport.json(history, { method: 'GET', path: at, repeatable: true })).items;
    },

    /** A small picture of an entry's place, SVG. */
    badge: (id: string, wanted: string): Promise<string> =>
      transport.text({
        method: 'GET',
        path: path`/v1/leaderboards/${id}/entries/${wanted}/badge.svg`,
        repeatable: true,
      }),

    /** All entries, one a line or row, as the text of the file arrives. */
    exportEntries: (id: string, format: ExportFormat, signal?: AbortSignal): AsyncGenerator<string, void, undefined> =>
      text(path`/v1/leaderboards/${id}/export`, { format }, signal),

    /** The entries that none beats in both cost and `execution`, the cheapest first. */
    async front(id: string): Promise<Entry[]> {
      const at = path`/v1/leaderboards/${id}/front`;
      return (await transport.json(entries, { method: 'GET', path: at, repeatable: true })).items;
    },

    /** The log of what was published and taken off, as the text of the file arrives. */
    log: (id: string, signal?: AbortSignal): AsyncGenerator<string, void, undefined> =>
      text(path`/v1/leaderboards/${id}/log`, {}, signal),

    /** What was submitted, for the leaderboard's moderators. */
    submissions: (
      id: string,
      { state, ...options }: ListOptions & { readonly state?: SubmissionState | undefined } = {},
    ): AsyncGenerator<BoardSubmission, void, undefined> =>
      items(transport, boardSubmission, path`/v1/leaderboards/${id}/submissions`, { state }, options),

    /** The key that this service signs records with. */
    signingKey: (): Promise<SigningKeyRecord> =>
      transport.json(signingKey, { method: 'GET', path: '/v1/signing-key', repeatable: true }),
  };
};
