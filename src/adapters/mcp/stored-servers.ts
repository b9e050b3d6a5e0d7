import { z } from 'zod';
import { decryptStoredSecretOrThrow } from '#adapters/secrets/stored-secret.ts';
import type { Settings } from '#adapters/settings.ts';
import { headersEncryptionContext, type ServerConnection } from '#core/catalog/server.ts';
import type { Governor } from '#core/governor/port.ts';
import type { Tool } from '#core/catalog/tool.ts';
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
  }: Pick<ConnectionOptions, 'admission' | 'attempt' | 'resume' | 'onSession'> & {
    /** Returns the governor with a name; only servers with limits have one. */
    readonly governors: (name: string) => Governor;
  },
): Promise<ServerConnections> {
  const access = await Promise.all(
    servers.map(async ({ name, url, headers, allows, effects, protocolVersion, redact, limits }) => ({
      name,
      url,
      allows,
      effects,
      protocolVersion,
      redact,
      ...(limits === null ? {} : { gate: makeServerGate(governors, limits) }),
      headers:
        headers === null || url === null
          ? {}
          : headersJson.parse(
              JSON.parse(await decryptStoredSecretOrThrow(settings, headers, headersEncryptionContext(url))),
            ),
    })),
  );
  const { ALLOW_LOCAL_SERVERS: allowLocal, SERVER_TIMEOUT_MS: connectTimeoutMs } = settings;
  return makeLazyConnections({ ...options, servers: access, tools, allowLocal, connectTimeoutMs });
}
