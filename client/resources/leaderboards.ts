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
import type { SubmissionState, SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import { yieldItemsOfAllPages, type ListOptions } from '../http/pages.ts';
import { makeTextStreamRequester } from '../http/text-reader.ts';
import { escapedPath, type Transport } from '../http/transport.ts';

/** The configuration of a leaderboard; it needs only the benchmark and a name. */
export type NewLeaderboard = z.input<typeof newLeaderboard>;

const placedEntry = z.object({ entry, place: entryPlace });
/** An entry with the reasons for its rank. */
export type PlacedEntry = z.infer<typeof placedEntry>;

const pastEntry = z.object({ leaderboard: z.string(), benchmark: z.string(), entry });
/** An entry of an agent on this leaderboard or on one of an earlier benchmark. */
export type PastEntry = z.infer<typeof pastEntry>;

const entries = z.object({ items: z.array(entry) });
const history = z.object({ items: z.array(pastEntry) });
const signingKey = z.object({
  algorithm: z.string(),
  publicKey: z.string(),
  retired: z.array(z.object({ publicKey: z.string(), until: z.string() })),
});
/** The public key that verifies records, in base64. */
export type SigningKeyRecord = z.infer<typeof signingKey>;

export interface RankedOptions extends ListOptions {
  /** The tier whose entries are listed; default `service`. */
  readonly tier?: SubmissionTier | undefined;
  /** The metric to rank by; default the first of the leaderboard's `metrics`, its headline. */
  readonly metric?: RankingMetric | undefined;
}

/** Leaderboards. Reading them needs no key; creating one and listing its submissions does. */
export const makeLeaderboardsClient = (transport: Transport) => {
  const readText = makeTextStreamRequester(transport);
  const read = <T>(schema: z.ZodType<T>, path: string, query: { readonly metric?: RankingMetric | undefined } = {}) =>
    transport.requestJson(schema, { method: 'GET', path, query, repeatable: true });
  return {
    /** Opens the leaderboard of a benchmark. There is one for each benchmark and protocol, so the call can be repeated. */
    create: (leaderboard: NewLeaderboard): Promise<LeaderboardRecord> =>
      transport.requestJson(leaderboardRecord, {
        method: 'POST',
        path: '/v1/leaderboards',
        json: leaderboard,
        repeatable: true,
      }),

    list: (options?: ListOptions): AsyncGenerator<ListedLeaderboard, void, undefined> =>
      yieldItemsOfAllPages(transport, listedLeaderboard, '/v1/leaderboards', {}, options),

    get: (id: string): Promise<LeaderboardRecord> => read(leaderboardRecord, escapedPath`/v1/leaderboards/${id}`),

    /** The entries of a tier in the order of a metric, best first. */
    entries: (
      id: string,
      { tier, metric, ...rest }: RankedOptions = {},
    ): AsyncGenerator<RankedEntry, void, undefined> =>
      yieldItemsOfAllPages(transport, rankedEntry, escapedPath`/v1/leaderboards/${id}/entries`, { tier, metric }, rest),

    entry: (id: string, wanted: string, metric?: RankingMetric): Promise<PlacedEntry> =>
      read(placedEntry, escapedPath`/v1/leaderboards/${id}/entries/${wanted}`, { metric }),

    /** The signed record of an entry. */
    record: (id: string, wanted: string): Promise<SignedRecord> =>
      read(signedRecord, escapedPath`/v1/leaderboards/${id}/entries/${wanted}/record`),

    /** The public traces of an entry, as the text of the file arrives. */
    traces: (id: string, wanted: string, signal?: AbortSignal): AsyncGenerator<string, void, undefined> =>
      readText(escapedPath`/v1/leaderboards/${id}/entries/${wanted}/traces`, {}, signal),

    /** The entries of the same name and submitter here and on leaderboards of earlier benchmarks, newest first. */
    async history(id: string, wanted: string): Promise<PastEntry[]> {
      const at = escapedPath`/v1/leaderboards/${id}/entries/${wanted}/history`;
      return (await read(history, at)).items;
    },

    /** A badge of an entry's rank, as SVG. */
    badge: (id: string, wanted: string): Promise<string> =>
      transport.requestText({
        method: 'GET',
        path: escapedPath`/v1/leaderboards/${id}/entries/${wanted}/badge.svg`,
        repeatable: true,
      }),

    /** All entries, one per line or row, as the text of the file arrives. */
    exportEntries: (id: string, format: ExportFormat, signal?: AbortSignal): AsyncGenerator<string, void, undefined> =>
      readText(escapedPath`/v1/leaderboards/${id}/export`, { format }, signal),

    /** The entries of the tier `service` that no other of the tier beats in both cost and the protocol's headline, cheapest first; of a longer front 200. */
    async front(id: string): Promise<Entry[]> {
      const at = escapedPath`/v1/leaderboards/${id}/front`;
      return (await read(entries, at)).items;
    },

    /** The log of publications and removals, as the text of the file arrives. */
    log: (id: string, signal?: AbortSignal): AsyncGenerator<string, void, undefined> =>
      readText(escapedPath`/v1/leaderboards/${id}/log`, {}, signal),

    /** The submissions, for the leaderboard's moderators. */
    submissions: (
      id: string,
      { state, ...options }: ListOptions & { readonly state?: SubmissionState | undefined } = {},
    ): AsyncGenerator<BoardSubmission, void, undefined> =>
      yieldItemsOfAllPages(
        transport,
        boardSubmission,
        escapedPath`/v1/leaderboards/${id}/submissions`,
        { state },
        options,
      ),

    /** The key with which this service signs records. */
    signingKey: (): Promise<SigningKeyRecord> =>
      transport.requestJson(signingKey, { method: 'GET', path: '/v1/signing-key', repeatable: true }),
  };
};
