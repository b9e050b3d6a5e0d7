import { defaultTiming, type StreamTiming } from './http/event-stream.ts';
import { attemptsOf } from './resources/attempts.ts';
import { benchmarksOf } from './resources/benchmarks.ts';
import { catalogsOf } from './resources/catalogs.ts';
import { evaluationsOf } from './resources/evaluations.ts';
import { evolutionsOf } from './resources/evolutions.ts';
import { explorationsOf } from './resources/explorations.ts';
import { keysOf } from './resources/keys.ts';
import { knowledgeOf } from './resources/knowledge.ts';
import { leaderboardsOf } from './resources/leaderboards.ts';
import { recordingsOf } from './resources/recordings.ts';
import { reviewsOf } from './resources/reviews.ts';
import { serversOf } from './resources/servers.ts';
import { submissionsOf } from './resources/submissions.ts';
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
    servers: serversOf(transport),
    catalogs: catalogsOf(transport),
    explorations: explorationsOf(transport, options.stream ?? defaultTiming),
    evolutions: evolutionsOf(transport, options.stream ?? defaultTiming),
    evaluations: evaluationsOf(transport, options.stream ?? defaultTiming),
    attempts: attemptsOf(transport),
    recordings: recordingsOf(transport),
    knowledge: knowledgeOf(transport, options.stream ?? defaultTiming),
    benchmarks: benchmarksOf(transport),
    reviews: reviewsOf(transport),
    leaderboards: leaderboardsOf(transport),
    submissions: submissionsOf(transport, options.stream ?? defaultTiming),
    keys: keysOf(transport),
  };
}

export type Client = ReturnType<typeof createClient>;
