import { z } from 'zod';
import { decryptStoredSecretOrThrow } from '#adapters/secrets/stored-secret.ts';
import { makeUnprovenRequestCounterOrNull } from '#adapters/network/unproven-requests.ts';
import type { Settings } from '#adapters/settings.ts';
import { authEncryptionContext, type StoredAuth } from '#core/catalog/server-auth.ts';
import { headersEncryptionContext, type ServerConnection, type ServerSecrets } from '#core/catalog/server.ts';
import type { Governor } from '#core/models/governor/port.ts';
import type { HostLedger } from '#core/catalog/hosts/ledger.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { webhookEncryptionContext, type Isolation } from '#core/catalog/isolation/isolation.ts';
import { makeLazyConnections, type ConnectionOptions } from './connections.ts';
import type { AskConsent, ServerAuth } from './oauth/tokens.ts';
import type { ServerConnections } from './server-connections.ts';
import { makeServerGate } from './server-gate.ts';

const headersJson = z.record(z.string(), z.string());

/** What connecting needs besides the servers. */
type StoredServerOptions = Required<Pick<ConnectionOptions, 'admission' | 'attempt' | 'use'>> &
  Pick<ConnectionOptions, 'resume' | 'onSession' | 'user'> & {
    /** Returns the governor with a name; only servers with limits have one. */
    readonly governors: (name: string) => Governor;
    /** Counts the requests to hosts that the workspace has not proven, if the deployment limits them. */
    readonly hosts: HostLedger;
    /** The workspace where the servers are registered. */
    readonly workspace: string;
    /** Returns the present secrets of servers, which their owner may have changed since the run began. */
    readonly secrets: (names: readonly string[]) => Promise<readonly ServerSecrets[]>;
    /** Returns how the tokens of a consent are asked for. */
    readonly consents: (id: string) => AskConsent;
  };

/** Opens connections for one attempt to servers as a run stores them, with their present secrets decrypted. */
export async function makeLazyConnectionsToStoredServers(
  settings: Settings,
  stored: readonly ServerConnection[],
  tools: readonly Tool[],
  { governors, hosts, workspace, secrets, consents, ...options }: StoredServerOptions,
): Promise<ServerConnections> {
  const servers = await serversWithLatestSecrets(stored, secrets);
  const access = await Promise.all(
    servers.map(async ({ headers, auth, isolation, limits, ...server }) => ({
      ...server,
      ...(limits === null ? {} : { gate: makeServerGate(governors, limits) }),
      isolation: await decryptWebhookSecretOfIsolation(settings, isolation),
      auth: auth === null ? null : await decryptAuth(settings, auth, consents),
      headers:
        headers === null || server.url === null
          ? {}
          : headersJson.parse(
              JSON.parse(await decryptStoredSecretOrThrow(settings, headers, headersEncryptionContext(server.url))),
            ),
    })),
  );
  const { ALLOW_LOCAL_SERVERS: allowLocal, SERVER_TIMEOUT_MS: connectTimeoutMs } = settings;
  const unproven = makeUnprovenRequestCounterOrNull(settings, hosts, workspace);
  return makeLazyConnections({ ...options, servers: access, tools, allowLocal, connectTimeoutMs, unproven });
}

/** A server that was removed, or moved to another address, keeps the secrets that the run began with. */
async function serversWithLatestSecrets(
  servers: readonly ServerConnection[],
  read: StoredServerOptions['secrets'],
): Promise<readonly ServerConnection[]> {
  const names = servers.filter(({ headers, auth }) => headers !== null || auth !== null).map(({ name }) => name);
  if (names.length === 0) return servers;
  const present = new Map((await read(names)).map((each) => [each.name, each]));
  return servers.map((server) => {
    const known = present.get(server.name);
    return known?.url === server.url ? { ...server, headers: known.headers, auth: known.auth } : server;
  });
}

async function decryptAuth(
  settings: Settings,
  stored: StoredAuth,
  consents: StoredServerOptions['consents'],
): Promise<ServerAuth> {
  if (stored.type === 'authorization-code') return { stored, ask: consents(stored.consent) };
  const context = authEncryptionContext(stored.tokenEndpoint);
  return { stored, secret: await decryptStoredSecretOrThrow(settings, stored.secret, context) };
}

/** Returns what is said about a server's state, with the secret of its webhook decrypted. */
async function decryptWebhookSecretOfIsolation(settings: Settings, stored: Isolation): Promise<Isolation> {
  if (stored.kind !== 'reset' || 'tool' in stored.by) return stored;
  const { webhook, secret } = stored.by;
  const opened = await decryptStoredSecretOrThrow(settings, secret, webhookEncryptionContext(webhook));
  return { ...stored, by: { webhook, secret: opened } };
}
