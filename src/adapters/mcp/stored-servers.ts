import { z } from 'zod';
import { decryptStoredSecretOrThrow } from '#adapters/secrets/stored-secret.ts';
import type { Settings } from '#adapters/settings.ts';
import { headersEncryptionContext, type ServerConnection } from '#core/catalog/server.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { makeLazyConnections, type ConnectionOptions } from './connections.ts';
import type { ServerConnections } from './server-connections.ts';

const headersJson = z.record(z.string(), z.string());

/** Opens connections for one attempt to servers as a run stores them, with their headers decrypted. */
export async function connectToStoredServers(
  settings: Settings,
  servers: readonly ServerConnection[],
  tools: readonly Tool[],
  options: Pick<ConnectionOptions, 'admission' | 'attempt' | 'resume' | 'onSession'>,
): Promise<ServerConnections> {
  const access = await Promise.all(
    servers.map(async ({ name, url, headers, allows, effects, protocolVersion, redact }) => ({
      name,
      url,
      allows,
      effects,
      protocolVersion,
      redact,
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
