import { z } from '@hono/zod-openapi';
import { allowedEffect } from '#core/catalog/effect.ts';
import { toolSelection } from '#core/catalog/selection.ts';
import { catalogRecord, serverRecord, type ServerRecord } from '#core/catalog/server.ts';
import { domainName, serverName } from '#core/catalog/tool.ts';
import { pageSchema } from '../pages.ts';
import { cursorInput, limitInput, moreText } from './inputs.ts';
import { makeTool, readsOnly } from './make-tool.ts';

const serverBrief = z.object({
  id: z.string(),
  name: serverName,
  domain: domainName,
  url: z.string().nullable().describe('Null if the server is only described and cannot be called'),
  tools: z.int(),
  allows: allowedEffect.describe('The most that runs may do on it: only tools up to this are called'),
  effects: serverRecord.shape.effects.describe('How many of its tools have each effect'),
  description: z.string().nullable(),
});

const briefServer = ({ description, ...server }: ServerRecord): z.infer<typeof serverBrief> => ({
  ...server,
  description: description?.text ?? null,
});

const listServers = makeTool({
  name: 'list_servers',
  title: 'List MCP servers',
  description:
    'Lists the MCP servers that are registered in the workspace, with the number of their tools and what runs may do on them. Their ids are what create_catalog takes.',
  input: z.strictObject({ limit: limitInput, cursor: cursorInput }),
  output: pageSchema(serverBrief),
  hints: readsOnly,
  async run(query, { api }) {
    const { items, nextCursor } = await api.ask('/v1/servers', pageSchema(serverRecord), { query });
    const lines = items.map(
      ({ id, name, tools, allows }) => `${name} (${id}): ${tools} tools, runs may go up to "${allows}"`,
    );
    const text = items.length === 0 ? 'No server is registered. add_server registers one.' : lines.join('\n');
    return { text: `${text}${moreText(nextCursor)}`, data: { items: items.map(briefServer), nextCursor } };
  },
});

const addServer = makeTool({
  name: 'add_server',
  title: 'Register an MCP server',
  description:
    'Registers a remote MCP server by its Streamable HTTP address and lists its tools. When it is listed, some of its tools that only read are called once. Runs only read from it: a person allows more over the API or the command line, where headers and OAuth are given too.',
  input: z.strictObject({
    name: serverName.describe('Its name in this workspace, such as `calendar`; its tools are named `calendar/...`'),
    domain: domainName.describe('The field that it belongs to, such as `travel`'),
    url: z.string().min(1).max(2_000).describe('Its Streamable HTTP endpoint'),
  }),
  output: z.object({ server: serverBrief }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run(body, { api }) {
    const server = await api.ask('/v1/servers', serverRecord, { method: 'POST', body });
    const left = server.leftOut.length === 0 ? '' : ` ${server.leftOut.length} broken tools were left out.`;
    const text = `Registered ${server.name} as ${server.id}, with ${server.tools} tools.${left} Next: create_catalog {"servers": ["${server.id}"]}.`;
    return { text, data: { server: briefServer(server) } };
  },
});

const catalogBrief = catalogRecord.pick({ id: true, tools: true, aboveLimit: true, effects: true, createdAt: true });

const createCatalog = makeTool({
  name: 'create_catalog',
  title: 'Freeze tools into a catalog',
  description:
    'Freezes the tools of some servers into a catalog, which start_exploration takes. Tools take part up to what their server allows. The same tools give the same catalog.',
  input: z.strictObject({
    servers: z.array(z.string().max(100)).min(1).max(500).describe('Ids of servers, such as `srv_...`'),
    upTo: toolSelection.shape.upTo.describe('The most that a call may do; servers may allow less'),
    exclude: z.array(z.string().min(1).max(300)).max(1_000).optional().describe('Tools to leave out, as `server/tool`'),
  }),
  output: z.object({ catalog: catalogBrief }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(body, { api }) {
    const catalog = await api.ask('/v1/catalogs', catalogRecord, { method: 'POST', body });
    const above = catalog.aboveLimit === 0 ? '' : ` ${catalog.aboveLimit} tools were left out because of what they do.`;
    const text = `The catalog ${catalog.id} has ${catalog.tools} tools.${above} Next: start_exploration.`;
    return { text, data: { catalog } };
  },
});

export const serverTools = [listServers, addServer, createCatalog];
