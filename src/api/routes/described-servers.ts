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

/** Servers of one upload about which a model is asked; others without a description stay without. */
const mostAsked = 50;

const importServers = makeEndpoint(
  {
    method: 'post',
    path: '/v1/servers/import',
    tags: ['servers'],
    summary: 'Register servers that are only described',
    description:
      'The body is JSON Lines, a server a line: `{"name", "domain", "description"?, "info"?, "tools"}`, with tools as `tools/list` gives them. Their tools are listed, put into catalogs and found by searches; a call of one fails with the fault `not-connected`, until a server of that name is registered with its address. All servers are registered or, if a line is broken, none. A server that is connected stays as it is. Sending the same again changes nothing.',
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
    const checked = unwrap(await parseAndCheckDescribedServers(body));
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    const known = await workspace.findServersByName(checked.map(({ described }) => described.name));
    const descriptions = await chooseOrAskModelForDescriptions(
      c,
      checked,
      new Map(known.map((each) => [each.name, each])),
    );
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
    return c.json({ servers: await workspace.addDescribedServers(servers) }, 200);
  },
);

/** Returns the descriptions of servers by name: those that are stated or kept, and for some of the others those of a model. */
async function chooseOrAskModelForDescriptions(
  c: Context<ApiEnv>,
  checked: readonly CheckedServer[],
  known: ReadonlyMap<string, ServerRecord>,
): Promise<Map<string, ServerDescription | null>> {
  const workspace = c.var.services.object('workspace', c.var.caller.workspace);
  const chosen = new Map<string, ServerDescription | null>();
  const open: CheckedServer[] = [];
  for (const server of checked) {
    const before = known.get(server.described.name);
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
