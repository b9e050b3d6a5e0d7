import { defaultTiming, type StreamTiming } from './http/event-stream.ts';
import { makeAttemptsClient } from './resources/attempts.ts';
import { makeBenchmarksClient } from './resources/benchmarks.ts';
import { makeCatalogsClient } from './resources/catalogs.ts';
import { makeConsentsClient } from './resources/consents.ts';
import { makeEvaluationsClient } from './resources/evaluations.ts';
import { makeEvolutionsClient } from './resources/evolutions.ts';
import { makeExplorationsClient } from './resources/explorations.ts';
import { makeKeysClient } from './resources/keys.ts';
import { makeKnowledgeClient } from './resources/knowledge.ts';
import { makeLabelsClient } from './resources/labels.ts';
import { makeLeaderboardsClient } from './resources/leaderboards.ts';
import { makeJudgesClient } from './resources/judges.ts';
import { makeModelsClient } from './resources/models.ts';
import { makeRecordingsClient } from './resources/recordings.ts';
import { makeReviewsClient } from './resources/reviews.ts';
import { makeServersClient } from './resources/servers.ts';
import { makeSharesClient } from './resources/shares.ts';
import { makeSubmissionsClient } from './resources/submissions.ts';
import { makeSystemClient } from './resources/system.ts';
import { makeWatchesClient } from './resources/watches.ts';
import { Transport, type Fetch, type TransportOptions } from './http/transport.ts';

export interface ClientOptions extends Partial<Pick<TransportOptions, 'retries' | 'timeoutMs' | 'backoff'>> {
  /** URL of the API, with or without a slash at the end. */
  readonly url: string;
  readonly key: string;
  readonly fetch?: Fetch;
  readonly stream?: StreamTiming;
  /** Aborts every call of this client. */
  readonly signal?: AbortSignal;
}

/**
 * The typed client of Sextant's API. It parses every answer with the schema that the service itself uses, and repeats
 * repeatable calls when the service is busy or cannot be reached. Throws `ApiError`, `ConnectionError` or
 * `AnswerError`.
 */
export function createClient(options: ClientOptions) {
  const { key, retries = 4, timeoutMs = 120_000, backoff = { firstMs: 250, longestMs: 5_000 } } = options;
  const url = options.url.replace(/\/+$/, '');
  const fetch: Fetch = options.fetch ?? ((address, init) => globalThis.fetch(address, init));
  const transport = new Transport({ url, key, fetch, retries, timeoutMs, backoff, signal: options.signal });
  return {
    url,
    servers: makeServersClient(transport),
    watches: makeWatchesClient(transport),
    catalogs: makeCatalogsClient(transport),
    consents: makeConsentsClient(transport),
    judges: makeJudgesClient(transport),
    models: makeModelsClient(transport),
    explorations: makeExplorationsClient(transport, options.stream ?? defaultTiming),
    evolutions: makeEvolutionsClient(transport, options.stream ?? defaultTiming),
    evaluations: makeEvaluationsClient(transport, options.stream ?? defaultTiming),
    labels: makeLabelsClient(transport),
    attempts: makeAttemptsClient(transport),
    recordings: makeRecordingsClient(transport),
    knowledge: makeKnowledgeClient(transport, options.stream ?? defaultTiming),
    benchmarks: makeBenchmarksClient(transport),
    reviews: makeReviewsClient(transport),
    leaderboards: makeLeaderboardsClient(transport),
    submissions: makeSubmissionsClient(transport, options.stream ?? defaultTiming),
    keys: makeKeysClient(transport),
    shares: makeSharesClient(transport),
    system: makeSystemClient(transport),
  };
}

export type Client = ReturnType<typeof createClient>;
