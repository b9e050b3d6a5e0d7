import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { noIsolation } from '#core/catalog/isolation/isolation.ts';
import { noRules } from '#core/catalog/redaction/rules.ts';
import type { Context } from 'hono';
import { listChangedTools } from '#core/catalog/changes.ts';
import { serverRecord, type NewServer, type ServerRecord } from '#core/catalog/server.ts';
import { chooseServerDescriptionOrNull, type ServerDescription } from '#core/catalog/server-description.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { parseAndCheckDescribedServers, type CheckedServer } from '../described-servers.ts';
import { describeJsonResponse, jsonLinesBody, makeEndpoint } from '../endpoint.ts';
import { newId } from '../ids.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { describeProblemResponses, refusal, unwrap } from '../problem.ts';
import { chooseOrAskForServerDescription } from '../server-descriptions.ts';
import { makeUploadPace, type GiveWay } from '../upload-pace.ts';

/** Servers of one upload about which a model is asked; others without a description stay without. */
const mostAsked = 50;

const importServers = makeEndpoint(
  {
    method: 'post',
    path: '/v1/servers/import',
    tags: ['servers'],
    summary: 'Register servers that are only described',
    description:
      'The body is JSON Lines, a server a line: `{"name", "domain", "description"?, "info"?, "tools"}`, with tools as `tools/list` gives them. Their tools are listed, put into catalogs and found by searches; a call of one fails with the fault `not-connected`, until a server of that name is registered with its address. If a line is broken, no server is registered. A server that is connected stays as it is. Sending the same again changes nothing.',
    middleware: [admitCallerWithScope('run')],
    request: { body: jsonLinesBody },
    responses: {
      200: describeJsonResponse(
        'The servers of these names, in the order of the lines; one with a `url` was connected already',
        z.object({ servers: z.array(documented(serverRecord, 'Server')) }),
      ),
      ...describeProblemResponses('invalid-line', 'body-too-large'),
    },
  },
  async (c) => {
    const { body } = c.req.raw;
    if (body === null) throw refusal('invalid-line', 'the upload is empty');
    const giveWay = makeUploadPace(c.var.caller.key);
    const checked = unwrap(await parseAndCheckDescribedServers(body, giveWay));
    const descriptions = await chooseOrAskModelForDescriptions(c, checked, giveWay);
    const now = new Date();
    const servers = checked.map(({ described, tools, sources }): NewServer => ({
      id: newId('srv', now),
      name: described.name,
      domain: described.domain,
      url: null,
      headers: null,
      headerNames: [],
      auth: null,
      tools,
      categorySources: sources,
      // Nobody can call them.
      ownersEffects: {},
      allows: 'destroys',
      redact: noRules,
      isolation: noIsolation,
      leftOut: [],
      surveyed: false,
      survey: null,
      info: described.info ?? null,
      protocolVersion: null,
      instructions: null,
      description: descriptions.get(described.name) ?? null,
      at: now.toISOString(),
    }));
    return c.json({ servers: await storeServersOneByOne(c, servers, giveWay) }, 200);
  },
);

/** Stores servers with a pause before each: all of them were checked, and what is interrupted can be sent again. */
async function storeServersOneByOne(
  c: Context<ApiEnv>,
  servers: readonly NewServer[],
  giveWay: GiveWay,
): Promise<ServerRecord[]> {
  const workspace = c.var.services.object('workspace', c.var.caller.workspace);
  const stored: ServerRecord[] = [];
  for (const server of servers) {
    await giveWay({ lines: server.tools.length, bytes: 0 });
    stored.push(await workspace.addDescribedServer(server));
  }
  return stored;
}

/** Returns the descriptions of servers by name: those that are stated or kept, and for some of the others those of a model. */
async function chooseOrAskModelForDescriptions(
  c: Context<ApiEnv>,
  checked: readonly CheckedServer[],
  giveWay: GiveWay,
): Promise<Map<string, ServerDescription | null>> {
  const workspace = c.var.services.object('workspace', c.var.caller.workspace);
  const chosen = new Map<string, ServerDescription | null>();
  const open: CheckedServer[] = [];
  for (const server of checked) {
    await giveWay({ lines: 1, bytes: 0 });
    const [before] = await workspace.findServersByName([server.described.name]);
    if (before !== undefined && before.url !== null) continue;
    const kept = before?.description ?? null;
    const isSameListing =
      kept?.source === 'model' &&
      before !== undefined &&
      listChangedTools(await workspace.getServerTools(before.id), server.tools).length === 0;
    const owned = server.described.description;
    const description = chooseServerDescriptionOrNull({ owned, kept, instructions: null, isSameListing });
    if (description === null) open.push(server);
    else chosen.set(server.described.name, description);
  }
  await Promise.all(
    open.slice(0, mostAsked).map(async ({ described: { name }, tools }) => {
      const unknown = { owned: '', kept: null, isSameListing: false };
      chosen.set(name, await chooseOrAskForServerDescription(c.var, name, { tools, instructions: null }, unknown));
    }),
  );
  return chosen;
}

export const describedServerEndpoints: readonly Endpoint[] = [importServers];
