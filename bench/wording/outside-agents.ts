import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ClaimedAttempt } from '#core/evaluation/claim.ts';
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/http/errors.ts';

/** Claims of one agent that are worked on at once. */
const lanes = 4;
const waitMs = 500;

/** Returns whether an agent carries out a request, from what it reads of its tools. */
type CarriesOut = (request: string, descriptions: readonly string[]) => boolean;

/** Works on the attempts of an external agent through the recording gateway, until none is left or the evaluation has ended. */
export async function workOutside(
  client: Client,
  evaluation: string,
  agent: string,
  carriesOut: CarriesOut,
): Promise<void> {
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (;;) {
        const answer = await client.attempts.claim({ evaluation, agent });
        if (answer.status === 'finished') return;
        if (answer.status === 'wait') await new Promise((resolve) => setTimeout(resolve, waitMs));
        else await workOn(client, answer.attempt, carriesOut);
      }
    }),
  );
}

async function workOn(client: Client, { id, request, mcp }: ClaimedAttempt, carriesOut: CarriesOut): Promise<void> {
  const gateway = new McpClient({ name: 'bench', version: '1.0.0' });
  await gateway.connect(new StreamableHTTPClientTransport(new URL(mcp.url), { requestInit: { headers: mcp.headers } }));
  const { tools } = await gateway.listTools();
  const places = [...request.matchAll(/\b(\d+)\.(\d+)\b/g)].map(([, server, tool]) => `step-${server}-${tool}`);
  if (
    carriesOut(
      request,
      tools.map(({ description = '' }) => description),
    )
  )
    for (const place of places) {
      const name = tools.find((tool) => tool.name.endsWith(place))?.name;
      if (name === undefined) throw new Error(`the gateway lists no tool ${place}`);
      await gateway.callTool({ name, arguments: { text: 'alpha' } });
    }
  await gateway.close();
  try {
    await client.attempts.respond(id, 'All of it is done.');
  } catch (error) {
    // The evaluation was decided, and cancelled, meanwhile.
    if (!(error instanceof ApiError) || error.code !== 'attempt-over') throw error;
  }
}
