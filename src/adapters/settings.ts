import { z } from 'zod';
import { dialectSetting } from '#core/models/dialect.ts';
import type { ModelRole } from '#core/models/model-call.ts';

const flag = z
  .string()
  .optional()
  .transform((text) => text === '1' || text === 'true');
const url = z.url({ protocol: /^https?$/ });
const price = z.coerce.number().min(0);
const dialect = z
  .string()
  .transform((text, context) => {
    try {
      return dialectSetting.parse(JSON.parse(text));
    } catch {
      context.addIssue('must be a dialect as JSON, such as {"tokenLimit":"max_tokens"}');
      return z.NEVER;
    }
  })
  .optional();

const variables = z.object({
  /** Encrypts secrets at rest: 32 bytes, base64. */
  ENCRYPTION_KEY: z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64'),
  /** The seed of the Ed25519 key that signs leaderboard records: 32 bytes, base64. */
  SIGNING_KEY: z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64'),
  /** Public keys that signed records in the past, each with its last day of use. */
  RETIRED_SIGNING_KEYS: z
    .string()
    .regex(
      /^([A-Za-z0-9+/]{43}=@\d{4}-\d{2}-\d{2}(,(?=.)|$))*$/,
      'must be public keys in base64, each with the day until which it signed: <key>@2026-12-31,<key>@...',
    )
    .default('')
    .transform((text) =>
      text === '' ? [] : text.split(',').map((each) => ({ publicKey: each.slice(0, 44), until: each.slice(45) })),
    ),
  /** SHA-256 (hex) of the key with all rights in the workspace `main`. */
  ROOT_KEY_SHA256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits'),
  /** The origin at which people reach the deployment, if it is not the one that requests come to. */
  PUBLIC_ORIGIN: url
    .refine(
      (text) => text.replace(/\/$/, '') === new URL(text).origin,
      'must be an origin, such as https://sextant.example.com',
    )
    .transform((text) => new URL(text).origin)
    .optional(),
  /** Allows servers and models on private and loopback addresses. For development. */
  ALLOW_LOCAL_SERVERS: flag,
  /** Renders leaderboard pages for each request instead of caching them for five seconds. For development. */
  NO_PAGE_CACHE: flag,
  /**
   * Deletes each instance of a Workflow once it has ended. For machines of one's own, where the runtime keeps them in memory and on the
   * disk for ever; Cloudflare keeps them for a while and shows what they did.
   */
  DELETE_ENDED_INSTANCES: flag,
  /** Where the Worker asks for a process for each program of an agent. Set by `npm start`, whose runtime cannot end a program. */
  PROGRAM_PROCESSES_URL: url.optional(),
  /** Marks every result as produced by rules instead of models. Set by `npm start` if `.dev.vars` names no model. */
  OFFLINE_MODELS: flag,
  /** The OpenAI-compatible endpoint, its key and prices (US dollars per million tokens) for roles without their own. */
  OPENAI_BASE_URL: url,
  OPENAI_API_KEY: z.string().default(''),
  PROMPT_PRICE_PER_MTOK: price.default(0),
  COMPLETION_PRICE_PER_MTOK: price.default(0),
  CACHED_PRICE_PER_MTOK: price.optional(),
  CACHE_WRITE_PRICE_PER_MTOK: price.optional(),
  /** The deployment's own index at Upstash Vector: both or neither. */
  UPSTASH_VECTOR_REST_URL: url.optional(),
  UPSTASH_VECTOR_REST_TOKEN: z.string().min(1).optional(),
  /** A database at Upstash Redis for leaderboard rankings and rate limits: both or neither. */
  UPSTASH_REDIS_REST_URL: url.optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1).optional(),
  /** Requests per minute with one key, and without a key from one address. */
  REQUESTS_PER_MINUTE_PER_KEY: z.coerce.number().int().min(1).default(6_000),
  REQUESTS_PER_MINUTE_PER_ADDRESS: z.coerce.number().int().min(1).default(600),
  /** Requests that a host gets in a day of all workspaces that have not proven that it is theirs; 0: any number. */
  REQUESTS_PER_DAY_PER_UNPROVEN_HOST: z.coerce.number().int().min(0).default(0),
  /** Where DNS records are asked for, by RFC 8484. */
  DNS_RESOLVER_URL: url.default('https://cloudflare-dns.com/dns-query'),
  /** Leaderboard submissions that a workspace may make in 24 hours. */
  SUBMISSIONS_PER_DAY: z.coerce.number().int().min(1).default(100),
  /** Time limit for connecting to a server and listing its tools. */
  SERVER_TIMEOUT_MS: z.coerce.number().int().min(1_000).default(15_000),
  /** Time limit for one model answer. */
  MODEL_TIMEOUT_MS: z.coerce.number().int().min(1_000).default(120_000),
  /** Steps after which a workflow instance hands over to a new one; the platform allows 1,024. */
  STEPS_PER_INSTANCE: z.coerce.number().int().min(1).max(1_000).default(1_000),
  /**
   * Requests after which a workflow instance hands over to a new one. The platform allows 10,000 by default, and the
   * current step may still make some thousands.
   */
  REQUESTS_PER_INSTANCE: z.coerce.number().int().min(50).default(2_000),
  WRITER_MODEL: z.string().min(1),
  WRITER_BASE_URL: url.optional(),
  WRITER_API_KEY: z.string().optional(),
  WRITER_PROMPT_PRICE_PER_MTOK: price.optional(),
  WRITER_COMPLETION_PRICE_PER_MTOK: price.optional(),
  WRITER_CACHED_PRICE_PER_MTOK: price.optional(),
  WRITER_CACHE_WRITE_PRICE_PER_MTOK: price.optional(),
  WRITER_DIALECT: dialect,
  CRITIC_MODEL: z.string().min(1),
  CRITIC_BASE_URL: url.optional(),
  CRITIC_API_KEY: z.string().optional(),
  CRITIC_PROMPT_PRICE_PER_MTOK: price.optional(),
  CRITIC_COMPLETION_PRICE_PER_MTOK: price.optional(),
  CRITIC_CACHED_PRICE_PER_MTOK: price.optional(),
  CRITIC_CACHE_WRITE_PRICE_PER_MTOK: price.optional(),
  CRITIC_DIALECT: dialect,
  AGENT_MODEL: z.string().min(1),
  AGENT_BASE_URL: url.optional(),
  AGENT_API_KEY: z.string().optional(),
  AGENT_PROMPT_PRICE_PER_MTOK: price.optional(),
  AGENT_COMPLETION_PRICE_PER_MTOK: price.optional(),
  AGENT_CACHED_PRICE_PER_MTOK: price.optional(),
  AGENT_CACHE_WRITE_PRICE_PER_MTOK: price.optional(),
  AGENT_DIALECT: dialect,
  JUDGE_MODEL: z.string().min(1),
  JUDGE_BASE_URL: url.optional(),
  JUDGE_API_KEY: z.string().optional(),
  JUDGE_PROMPT_PRICE_PER_MTOK: price.optional(),
  JUDGE_COMPLETION_PRICE_PER_MTOK: price.optional(),
  JUDGE_CACHED_PRICE_PER_MTOK: price.optional(),
  JUDGE_CACHE_WRITE_PRICE_PER_MTOK: price.optional(),
  JUDGE_DIALECT: dialect,
  EMBEDDER_MODEL: z.string().min(1),
  EMBEDDER_BASE_URL: url.optional(),
  EMBEDDER_API_KEY: z.string().optional(),
  EMBEDDER_PROMPT_PRICE_PER_MTOK: price.optional(),
  EMBEDDER_COMPLETION_PRICE_PER_MTOK: price.optional(),
  EMBEDDER_DIALECT: dialect,
});

/**
 * All settings, from the Worker's variables and secrets. docs/configuration.md lists them; a test keeps the two in
 * step.
 */
export const settingsSchema = variables
  .refine(
    (set) => (set.UPSTASH_VECTOR_REST_URL === undefined) === (set.UPSTASH_VECTOR_REST_TOKEN === undefined),
    'UPSTASH_VECTOR_REST_URL and UPSTASH_VECTOR_REST_TOKEN belong together',
  )
  .refine(
    (set) => (set.UPSTASH_REDIS_REST_URL === undefined) === (set.UPSTASH_REDIS_REST_TOKEN === undefined),
    'UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN belong together',
  );

export type Settings = z.infer<typeof settingsSchema>;

const prefixes: { readonly [Role in ModelRole]: Uppercase<Role> } = {
  writer: 'WRITER',
  critic: 'CRITIC',
  agent: 'AGENT',
  judge: 'JUDGE',
  embedder: 'EMBEDDER',
};

/** Returns the deployment's own model in a role. A role with its own endpoint does not use the general key. */
export function deploymentModelOfRole(settings: Settings, role: ModelRole) {
  const prefix = prefixes[role];
  const baseUrl = settings[`${prefix}_BASE_URL`];
  const ownDialect = settings[`${prefix}_DIALECT`];
  const generalKey = baseUrl === undefined ? settings.OPENAI_API_KEY : '';
  return {
    model: settings[`${prefix}_MODEL`],
    baseUrl: baseUrl ?? settings.OPENAI_BASE_URL,
    apiKey: settings[`${prefix}_API_KEY`] ?? generalKey,
    promptPricePerMTok: settings[`${prefix}_PROMPT_PRICE_PER_MTOK`] ?? settings.PROMPT_PRICE_PER_MTOK,
    completionPricePerMTok: settings[`${prefix}_COMPLETION_PRICE_PER_MTOK`] ?? settings.COMPLETION_PRICE_PER_MTOK,
    ...pickPromptCachePrices(settings, prefix),
    ...(ownDialect === undefined ? {} : { dialect: ownDialect }),
  };
}

/** Returns the prices of what is cached. The general ones belong to the general price of prompts. */
function pickPromptCachePrices(settings: Settings, prefix: (typeof prefixes)[ModelRole]) {
  if (prefix === 'EMBEDDER') return {};
  const general = settings[`${prefix}_PROMPT_PRICE_PER_MTOK`] === undefined;
  const cached = settings[`${prefix}_CACHED_PRICE_PER_MTOK`] ?? (general ? settings.CACHED_PRICE_PER_MTOK : undefined);
  const written =
    settings[`${prefix}_CACHE_WRITE_PRICE_PER_MTOK`] ?? (general ? settings.CACHE_WRITE_PRICE_PER_MTOK : undefined);
  return {
    ...(cached === undefined ? {} : { cachedPricePerMTok: cached }),
    ...(written === undefined ? {} : { cacheWritePricePerMTok: written }),
  };
}

/** Returns the deployment's own index at Upstash Vector, if it has one. */
export function getDeploymentVectorIndex(
  settings: Settings,
): { readonly url: string; readonly token: string } | undefined {
  const { UPSTASH_VECTOR_REST_URL: url, UPSTASH_VECTOR_REST_TOKEN: token } = settings;
  return url === undefined || token === undefined ? undefined : { url, token };
}

/** Returns the deployment's database at Upstash Redis, if it has one. */
export function getDeploymentRedis(settings: Settings): { readonly url: string; readonly token: string } | undefined {
  const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = settings;
  return url === undefined || token === undefined ? undefined : { url, token };
}
