import { z } from 'zod';
import { tryCredentialsAndMakePlainAuth } from '#adapters/mcp/oauth/try-credentials.ts';
import { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { MachineAuth } from '#core/catalog/server-auth.ts';
import { listAndCall } from './list-and-call.ts';

/**
 * What the conformance suite starts as a client: gets credentials from the environment and a server's address as its argument, and
 * does what registering the server and one attempt do: it tries the credentials, lists the tools, and calls one.
 */
const context = z.union([
  z.object({ client_id: z.string(), client_secret: z.string() }),
  z.object({ client_id: z.string(), private_key_pem: z.string(), signing_algorithm: z.literal('ES256') }),
]);

function readCredentials(): MachineAuth {
  const given = context.parse(JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? ''));
  const { client_id: clientId } = given;
  if ('client_secret' in given) return { type: 'client-credentials', clientId, clientSecret: given.client_secret };
  const { private_key_pem: privateKey, signing_algorithm: algorithm } = given;
  return { type: 'private-key-jwt', clientId, privateKey, algorithm };
}

const url = z.url().parse(process.argv.at(-1));
const admission = new Admission();
const fetch = makeGuardedFetch({ admission, allowLocal: true, maxBytes: 100_000, timeoutMs: 5_000 });
const stored = await tryCredentialsAndMakePlainAuth(readCredentials(), url, fetch);
const auth = { stored, secret: stored.secret };
await listAndCall(url, auth, admission);
