import { z } from 'zod';
import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import { discoverTools } from '#adapters/mcp/list-tools.ts';
import { obtainTokenAndMakeStoredAuth } from '#adapters/mcp/oauth/try-credentials.ts';
import { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { OwnersAuth } from '#core/catalog/server-auth.ts';
import { toolsNamed, unlimited } from '../support/unlimited.ts';

/**
 * What the conformance suite starts as a client: gets credentials from the environment and a server's address as its argument, and
 * does what registering the server and one attempt do: it tries the credentials, lists the tools, and calls one.
 */
const context = z.union([
  z.object({ client_id: z.string(), client_secret: z.string() }),
  z.object({ client_id: z.string(), private_key_pem: z.string(), signing_algorithm: z.literal('ES256') }),
]);

function readCredentials(): OwnersAuth {
  const given = context.parse(JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? ''));
  const { client_id: clientId } = given;
  if ('client_secret' in given) return { type: 'client-credentials', clientId, clientSecret: given.client_secret };
  const { private_key_pem: privateKey, signing_algorithm: algorithm } = given;
  return { type: 'private-key-jwt', clientId, privateKey, algorithm };
}

const url = z.url().parse(process.argv.at(-1));
const admission = new Admission();
const fetch = makeGuardedFetch({ admission, allowLocal: true, maxBytes: 100_000, timeoutMs: 5_000 });
const stored = await obtainTokenAndMakeStoredAuth(readCredentials(), url, fetch);
const auth = { stored, secret: stored.secret };
const found = await discoverTools({ admission, url, headers: {}, allowLocal: true, auth });
if (!found.ok) throw new Error(found.problem.detail);
const { tools, protocolVersion } = found.value;
const connections = makeLazyConnections({
  admission,
  servers: [{ ...unlimited, name: 'test', url, headers: {}, auth, protocolVersion }],
  tools: toolsNamed(...tools.map(({ name }) => `test/${name}`)),
  allowLocal: true,
});
const outcome = await connections.call(`test/${tools[0]?.name ?? ''}`, {}, 5_000);
await connections.close();
if (outcome.kind === 'fault') throw new Error(outcome.fault.detail);
