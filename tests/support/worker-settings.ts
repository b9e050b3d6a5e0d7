import { createHash } from 'node:crypto';
import { rootKey } from './root-key.ts';

/** Where the outside world of the tests listens. */
export interface World {
  /** Starts and steers MCP servers. */
  readonly servers: string;
  /** Starts and steers models. */
  readonly models: string;
  /** Publishes DNS records and files of public hosts. */
  readonly hosts: string;
  /** Starts and steers indexes of vectors. */
  readonly indexes: string;
  /** Makes and steers databases of Redis. */
  readonly redis: string;
}

/** How many requests a day a public host gets in the tests of workspaces that have not proven it. */
export const unprovenRequests = 40;

/** The Worker's variables in the tests. They say all that `.dev.vars` could say, so that nothing of a developer's gets in. */
export function workerSettings(world: World): Record<string, string> {
  return {
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    SIGNING_KEY: Buffer.alloc(32, 9).toString('base64'),
    ROOT_KEY_SHA256: createHash('sha256').update(rootKey).digest('hex'),
    ALLOW_LOCAL_SERVERS: 'true',
    // Tests read what they have just written.
    NO_PAGE_CACHE: 'true',
    OFFLINE_MODELS: 'true',
    OPENAI_BASE_URL: `${world.models}/models/deployment/v1`,
    OPENAI_API_KEY: 'key-of-the-deployment',
    PROMPT_PRICE_PER_MTOK: '1',
    COMPLETION_PRICE_PER_MTOK: '2',
    WRITER_MODEL: 'test-writer',
    CRITIC_MODEL: 'test-critic',
    AGENT_MODEL: 'test-agent',
    JUDGE_MODEL: 'test-judge',
    EMBEDDER_MODEL: 'test-embedder',
    // It holds for public hosts alone, and tests use those in which it matters.
    REQUESTS_PER_DAY_PER_UNPROVEN_HOST: String(unprovenRequests),
    DNS_RESOLVER_URL: `${world.hosts}/dns-query`,
    SERVER_TIMEOUT_MS: '3000',
    MODEL_TIMEOUT_MS: '3000',
    STEPS_PER_INSTANCE: '40',
    REQUESTS_PER_MINUTE_PER_KEY: '100000',
    REQUESTS_PER_MINUTE_PER_ADDRESS: '100000',
  };
}
