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
        else await workOnAttempt(client, answer.attempt, carriesOut);
      }
    }),
  );
}

/** An evaluation that is decided meanwhile is cancelled: then its attempts are over, which is no fault of the bench. */
async function workOnAttempt(client: Client, attempt: ClaimedAttempt, carriesOut: CarriesOut): Promise<void> {
  const failed = await callPlacesThroughGateway(attempt, carriesOut).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  try {
    await client.attempts.respond(attempt.id, 'All of it is done.');
  } catch (error) {
    if (error instanceof ApiError && error.code === 'attempt-over') return;
    throw failed === null ? error : failed.error;
  }
  if (failed !== null) throw failed.error;
}

async function callPlacesThroughGateway({ request, mcp }: ClaimedAttempt, carriesOut: CarriesOut): Promise<void> {
  const gateway = new McpClient({ name: 'bench', version: '1.0.0' });
  await gateway.connect(new StreamableHTTPClientTransport(new URL(mcp.url), { requestInit: { headers: mcp.headers } }));
  try {
    const { tools } = await gateway.listTools();
    const descriptions = tools.map(({ description = '' }) => description);
    if (!carriesOut(request, descriptions)) return;
    for (const [, server, tool] of request.matchAll(/\b(\d+)\.(\d+)\b/g)) {
      const place = `step-${server}-${tool}`;
      const name = tools.find((each) => each.name.endsWith(place))?.name;
      if (name === undefined) throw new Error(`the gateway lists no tool ${place}`);
      await gateway.callTool({ name, arguments: { text: 'alpha' } });
    }
  } finally {
    await gateway.close();
  }
}
