import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { exports } from 'cloudflare:workers';
import { z } from 'zod';
import { evaluationBody, type TestBed } from './evaluation.ts';
import { expectStatus } from './workspace.ts';

/** External agents: they claim attempts and connect with the SDK's own client. For tests inside workerd. */

/** An answer to a claim that gives an attempt. */
export const claimed = z.object({
  status: z.literal('claimed'),
  attempt: z.object({
    id: z.string(),
    request: z.string(),
    mcp: z.object({ url: z.string(), headers: z.object({ Authorization: z.string() }) }),
    deadline: z.string(),
    leaseMs: z.int().optional(),
  }),
});
export type Claimed = z.infer<typeof claimed>['attempt'];

/** An evaluation of one external agent, `guest`, and the other requested ones. */
export async function evaluateGuest(bed: TestBed, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const body = evaluationBody(bed, [], { agents: [{ name: 'guest', loop: 'external' }], ...more });
  const answer = await bed.workspace.post('/v1/evaluations', body);
  return z.object({ id: z.string() }).parse(expectStatus(answer, 202)).id;
}

/** Any answer to a claim. */
export async function claimAnswer(
  { workspace }: Pick<TestBed, 'workspace'>,
  evaluation: string,
  headers: Record<string, string> = {},
) {
  const answer = await workspace.post('/v1/attempts/claim', { evaluation, agent: 'guest' }, { headers });
  return expectStatus(answer, 200);
}

export const claim = async (bed: Pick<TestBed, 'workspace'>, evaluation: string): Promise<Claimed> =>
  claimed.parse(await claimAnswer(bed, evaluation)).attempt;

export const respond = (bed: Pick<TestBed, 'workspace'>, { id }: Pick<Claimed, 'id'>, response: string) =>
  bed.workspace.post(`/v1/attempts/${id}/response`, { response });

/** The sdk's client, connected to an attempt's endpoint. */
export async function connected({ mcp }: Claimed): Promise<Client> {
  const client = new Client({ name: 'guest', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(mcp.url), {
    requestInit: { headers: mcp.headers },
    fetch: (url, init) => exports.default.fetch(new Request(url, init)),
  });
  await client.connect(transport);
  return client;
}
