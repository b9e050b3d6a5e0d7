import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Caller } from '#core/access.ts';
import type { Admission } from '#adapters/network/admission.ts';
import type { Settings } from '#adapters/settings.ts';
import type { KnownKeys } from './known-keys.ts';
import type { PageCache } from './middleware/page-cache.ts';
import type { DirectoryService, ObjectKind, Objects } from './services.ts';

/** What the composition root hands to the API. */
export interface Services {
  readonly settings: Settings;
  readonly directory: DirectoryService;
  /** The object of a kind that has a name. Ask for it anew for each request: a stub belongs to the request that made it. */
  object<Kind extends ObjectKind>(kind: Kind, name: string): Objects[Kind];
  /** Where public pages are kept for a few seconds; null where the platform has no such place, or the settings do not want it. */
  readonly pageCache: PageCache | null;
}

export interface ApiEnv {
  readonly Variables: {
    services: Services;
    requestId: string;
    /** Through which this request sends its own. */
    admission: Admission;
    knownKeys: KnownKeys;
    /** Whose key the request presents; null without a known one. */
    identity: Caller | null;
    /** Who passed `requires`. */
    caller: Caller;
  };
}

export type Api = OpenAPIHono<ApiEnv>;

/** An endpoint adds itself to the API. */
export type Endpoint = (api: Api) => void;
