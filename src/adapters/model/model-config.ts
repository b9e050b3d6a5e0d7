import type { DialectSetting } from '#core/models/dialect.ts';
import type { Governor } from '#core/models/governor/port.ts';
import type { Admission } from '#adapters/network/admission.ts';
import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import type { Repeats } from './backoff.ts';

/** The model that plays a role, and where it is. Prices in US dollars per million tokens. */
export interface ModelConfig {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  readonly promptPricePerMTok?: number;
  readonly completionPricePerMTok?: number;
  readonly cachedPricePerMTok?: number | undefined;
  readonly cacheWritePricePerMTok?: number | undefined;
  /** In what the endpoint differs from what is known of it. */
  readonly dialect?: DialectSetting | undefined;
  /** What it refused when the run was created. */
  readonly learnt?: DialectSetting | undefined;
  /** Bound of one request. */
  readonly timeoutMs: number;
  readonly maxCompletionTokens: number;
  /** The name of the governor of its endpoint; absent if nobody else asks it, or it has no limits. */
  readonly governor?: string | undefined;
  /** Sent only if given: some models refuse it. */
  readonly temperature?: number | undefined;
}

/** The most completion tokens of one answer, whatever is asked. */
export const maxCompletionTokens = 16_000;

export interface EndpointOptions extends Partial<Repeats> {
  readonly admission: Admission;
  /** Bounds the answers in bytes and guards the address: makeGuardedFetch. */
  readonly fetch: FetchLike;
  /** Returns a governor by its name. */
  readonly governors?: (name: string) => Governor;
}
