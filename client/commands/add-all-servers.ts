import { z } from 'zod';
import { domainName, serverName } from '#core/catalog/tool.ts';
import type { CommandContext } from '../command-line/context.ts';
import { CommandError, UsageError } from '../../engine/usage-error.ts';
import type { NewServer } from '../resources/servers.ts';
import { usualPorts } from '../../engine/usual-ports.ts';
import { addMissingServers } from './add-server-file.ts';

/** Where `npm start` has its servers. */
export const usualGateway = `http://127.0.0.1:${usualPorts.gatewayPort}`;

/** A server as a gateway lists it; "serve" says of its servers no more than their names and addresses. */
const listedServer = z.object({
  name: serverName,
  url: z.url(),
  domain: domainName.optional(),
  isolation: z.object({ kind: z.enum(['none', 'session']) }).optional(),
  effects: z.record(z.string(), z.literal('reads')).default({}),
  auth: z.object({ type: z.literal('client-credentials'), clientId: z.string(), clientSecret: z.string() }).optional(),
});

/** What is said of all servers of a gateway; each keeps its own domain where the gateway knows one. */
export type SharedByAll = Omit<NewServer, 'name' | 'url' | 'domain'> & { readonly domain: string | undefined };

/** Registers all servers that run behind the gateway of `npm start`, or behind "serve". */
export async function addAllServersOfGateway(
  gateway: string,
  shared: SharedByAll,
  context: CommandContext,
): Promise<void> {
  const listed = await fetchServersOfGateway(gateway, context.signal);
  const nameless = listed.find(({ domain }) => (domain ?? shared.domain) === undefined);
  if (nameless !== undefined)
    throw new UsageError(`--domain DOMAIN is missing: ${gateway} does not say to which field ${nameless.name} belongs`);
  await addMissingServers(
    listed.map(({ name, url, domain = shared.domain ?? '', isolation, effects, auth }) => ({
      ...shared,
      name,
      url,
      domain,
      effects,
      ...(shared.isolation === undefined && isolation !== undefined ? { isolation } : {}),
      ...(auth === undefined ? {} : { auth }),
    })),
    context,
  );
}

async function fetchServersOfGateway(gateway: string, signal: AbortSignal): Promise<z.infer<typeof listedServer>[]> {
  if (!/^https?:/i.test(gateway) || !URL.canParse(gateway))
    throw new UsageError(`"${gateway}" is no address of a gateway; give one such as ${usualGateway}`);
  const answer: unknown = await fetch(new URL('/servers', gateway), { signal })
    .then((response) => response.json())
    .catch((cause: unknown) => {
      throw new CommandError(`nothing lists servers at ${gateway}; name the gateway of "npm start" or of "serve"`, {
        cause,
      });
    });
  const parsed = z.array(listedServer).safeParse(answer);
  if (!parsed.success) throw new CommandError(`${gateway} answers with something else than a list of servers`);
  return parsed.data;
}
