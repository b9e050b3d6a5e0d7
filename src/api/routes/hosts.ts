import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { isPublicAddress } from '#adapters/network/address-guard.ts';
import { hostOf, hostRecord } from '#core/catalog/hosts/proof.ts';
import type { Endpoint } from '../context.ts';
import { describeJsonResponse, makeEndpoint } from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { describeProblemResponses, refusal, unwrap } from '../problem.ts';

const hostParams = z.object({
  host: documented(z.string().max(253), {
    description: 'The host of a server, as its address has it, without a port.',
    example: 'mcp.example.com',
  }),
});

const hostSchema = documented(hostRecord, 'HostProof');

/** Returns the host that a path names; refuses what is none, and one that needs no proof. */
function requirePublicHost(named: string): string {
  const address = URL.parse(`https://${named}/`);
  if (address === null || hostOf(address) !== named.toLowerCase().replace(/\.+$/, ''))
    throw refusal('invalid-request', `${named} is no host; give it as a server's address has it, without a port`);
  if (!isPublicAddress(address)) throw refusal('address-forbidden', `${named} is no public host, and needs no proof`);
  return hostOf(address);
}

const readHost = makeEndpoint(
  {
    method: 'get',
    path: '/v1/hosts/{host}/proof',
    tags: ['servers'],
    summary: 'Read how to prove that a host is yours, and whether it is proven',
    description:
      'Where the deployment limits the requests to hosts, one whose owner has proven it to be theirs gets any number from their workspace.',
    middleware: [admitCallerWithScope('read')],
    request: { params: hostParams },
    responses: {
      200: describeJsonResponse('The host', hostSchema),
      ...describeProblemResponses('address-forbidden'),
    },
  },
  async (c) => {
    const host = requirePublicHost(c.req.valid('param').host);
    return c.json(await c.var.services.object('host', host).describe(host, c.var.caller.workspace), 200);
  },
);

const proveHost = makeEndpoint(
  {
    method: 'post',
    path: '/v1/hosts/{host}/proof',
    tags: ['servers'],
    summary: 'Look for the proof that a host is yours',
    description:
      'Looks for the line of the workspace in the DNS record, then in the file. A proof holds for 30 days, and is looked for again before it ends.',
    middleware: [admitCallerWithScope('run')],
    request: { params: hostParams },
    responses: {
      200: describeJsonResponse('The host, which is proven', hostSchema),
      ...describeProblemResponses('address-forbidden', 'host-not-proven'),
    },
  },
  async (c) => {
    const host = requirePublicHost(c.req.valid('param').host);
    return c.json(unwrap(await c.var.services.object('host', host).prove(host, c.var.caller.workspace)), 200);
  },
);

export const hostEndpoints: readonly Endpoint[] = [readHost, proveHost];
