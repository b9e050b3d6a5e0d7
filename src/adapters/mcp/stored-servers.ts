import { z } from 'zod';
import { decryptStoredSecretOrThrow } from '#adapters/secrets/stored-secret.ts';
import type { Settings } from '#adapters/settings.ts';
import { headersEncryptionContext, type ServerConnection } from '#core/catalog/server.ts';
import type { Governor } from '#core/governor/port.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { webhookEncryptionContext, type Isolation } from '#core/isolation/isolation.ts';
import { makeLazyConnections, type ConnectionOptions } from './connections.ts';
import type { ServerConnections } from './server-connections.ts';
import { makeServerGate } from './server-gate.ts';

const headersJson = z.record(z.string(), z.string());

/** Opens connections for one attempt to servers as a run stores them, with their headers decrypted. */
export async function connectToStoredServers(
  settings: Settings,
  servers: readonly ServerConnection[],
  tools: readonly Tool[],
  {
    governors,
    ...options
  }: Required<Pick<ConnectionOptions, 'admission' | 'attempt' | 'use'>> &
    Pick<ConnectionOptions, 'resume' | 'onSession'> & {
      /** Returns the governor with a name; only servers with limits have one. */
      readonly governors: (name: string) => Governor;
    },
): Promise<ServerConnections> {
  const access = await Promise.all(
    servers.map(async ({ headers, isolation, limits, ...server }) => ({
      ...server,
      ...(limits === null ? {} : { gate: makeServerGate(governors, limits) }),
      isolation: await openIsolation(settings, isolation),
      headers:
        headers === null || server.url === null
          ? {}
          : headersJson.parse(
              JSON.parse(await decryptStoredSecretOrThrow(settings, headers, headersEncryptionContext(server.url))),
            ),
    })),
  );
  const { ALLOW_LOCAL_SERVERS: allowLocal, SERVER_TIMEOUT_MS: connectTimeoutMs } = settings;
  return makeLazyConnections({ ...options, servers: access, tools, allowLocal, connectTimeoutMs });
}

/** Returns what is said about a server's state, with the secret of its webhook decrypted. */
async function openIsolation(settings: Settings, stored: Isolation): Promise<Isolation> {
  if (stored.kind !== 'reset' || 'tool' in stored.by) return stored;
  const { webhook, secret } = stored.by;
  const opened = await decryptStoredSecretOrThrow(settings, secret, webhookEncryptionContext(webhook));
  return { ...stored, by: { webhook, secret: opened } };
}
