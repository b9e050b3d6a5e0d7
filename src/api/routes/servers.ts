import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import {
  mergeOwnerAndKeptCategories,
  chooseCategoriesWithSources,
  type CategorizedTools,
  type KnownCategories,
} from '#core/catalog/categorized-tools.ts';
import { toolCategory } from '#core/catalog/tool-categories.ts';
import { headersEncryptionContext, serverRecord } from '#core/catalog/server.ts';
import { checkSchemasUnderProfiles, profileVerdicts } from '#core/models/function-schemas/judge-schemas.ts';
import { listChangedTools } from '#core/catalog/changes.ts';
import { serverTextChars } from '#core/catalog/server-description.ts';
import {
  allowedEffect,
  effectOf,
  isAllowed,
  ownersEffects,
  addEffectsToTools,
  type OwnersEffects,
} from '#core/catalog/effect.ts';
import { domainName, nameOnServer, serverName, tool, type Tool } from '#core/catalog/tool.ts';
import { survey } from '#core/survey/survey.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import {
  makeEndpoint,
  idParams,
  describeJsonResponse,
  describeJsonBody,
  describeCreatedResponse,
} from '../endpoint.ts';
import { newId } from '../ids.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { makePage, pageSchema, pageQuery } from '../pages.ts';
import { bodyProblems, problemResponses, refusal, unwrap } from '../problem.ts';
import { decryptOrRefuse } from '../secrets.ts';
import { makeGateOfServer, ownersLimits, readGovernorStanding, serverStanding } from '../server-limits.ts';
import { ownersRedaction, privateSwitch } from '../server-privacy.ts';
import { isolationSchema, keepOrMakeStoredIsolation, makeStoredIsolationOrRefuse } from '../server-isolation.ts';
import { authSchema, decryptAuthOrRefuse, refuseTwoAuthorizations, tryAndStoreAuthOrRefuse } from '../server-auth.ts';
import { encryptServerHeaders, headersSchema } from '../server-headers.ts';
import { noRules } from '#core/redaction/rules.ts';
import { surveyServerIfOn } from '../server-survey.ts';
import { describeListedServer } from '../server-descriptions.ts';
import { listRuleCategorizedTools } from '../server-tools.ts';

const surveySwitch = z.boolean().openapi({
  description:
    'Whether the listing calls the tools once that only read and need no arguments, and reads the first resources, so that requests can be written about what is there',
});

const ownersDescription = z.string().trim().max(serverTextChars).openapi({
  description:
    'What the server is for, in words. Without it its own instructions are taken, or what a model writes about its tools. Empty withdraws an earlier one.',
});

/** What may be wrong with a server whose tools are listed. */
const listingProblems = [
  'address-forbidden',
  'server-unreachable',
  'server-timeout',
  'server-rate-limited',
  'server-unauthorized',
  'not-an-mcp-server',
  'no-tools',
  'duplicate-tool',
  'broken-tool-schema',
  'too-many-tools',
  'tools-too-large',
] as const;

const ownersEffectsOrNone = ownersEffects.openapi({
  description:
    "What calls do, by the tool's own name, where the tool says nothing or something wrong: `reads`, `writes`, `destroys` or `unknown`, which counts as `writes`.",
});

const allows = allowedEffect.openapi({
  description: 'The most that calls may do on the server. Catalogs take no tool that does more, and no run calls one.',
});

/** Refuses effects of tools that the server does not list. */
function refuseUnlistedEffects(effects: OwnersEffects, tools: readonly Tool[]): void {
  const listed = new Set(tools.map(({ name }) => nameOnServer(name)));
  const unknown = Object.keys(effects).filter((name) => !listed.has(name));
  if (unknown.length > 0) throw refusal('invalid-request', `effects: the server lists no tool ${unknown.join(', ')}`);
}

const ownersCategories = z.record(z.string().max(128), toolCategory).openapi({
  description: "Categories by the tool's own name. A model gives the others, or rules where no model answers.",
});

/**
 * Gives listed tools their categories: what is known of them stays, a model is asked about the others, and tools without
 * its answer keep what the rules gave them.
 */
async function categorizeListedTools(
  { var: { services, admission } }: Context<ApiEnv>,
  listed: readonly Tool[],
  known: KnownCategories,
): Promise<CategorizedTools> {
  const open = listed.filter(({ name }) => !known.has(name));
  return chooseCategoriesWithSources(listed, known, await services.askForCategories(open, admission));
}

const createServer = makeEndpoint(
  {
    method: 'post',
    path: '/v1/servers',
    tags: ['servers'],
    summary: 'Register a remote MCP server',
    description:
      'Connects over Streamable HTTP and lists the tools before anything is stored. Headers are encrypted at rest and never returned. A server of that name that is only described is replaced: it keeps its id and its description.',
    middleware: [admitCallerWithScope('run')],
    request: {
      body: describeJsonBody(
        z
          .strictObject({
            name: serverName,
            domain: domainName,
            url: z.string().min(1).max(2_000),
            headers: headersSchema.optional(),
            auth: authSchema.optional(),
            categories: ownersCategories.optional(),
            allows: allows.default('reads'),
            effects: ownersEffectsOrNone.default({}),
            redact: ownersRedaction.default(noRules),
            private: privateSwitch.optional(),
            limits: ownersLimits.default({}),
            isolation: isolationSchema.default({ kind: 'none' }),
            survey: surveySwitch.default(true),
            description: ownersDescription.optional(),
          })
          .superRefine(refuseTwoAuthorizations)
          .openapi('NewServer'),
      ),
    },
    responses: {
      201: describeCreatedResponse('The server', serverRecord.openapi('Server')),
      ...problemResponses(...bodyProblems, 'name-taken', ...listingProblems),
    },
  },
  async (c) => {
    const { name, domain, url, headers: secrets = {}, ...given } = c.req.valid('json');
    const { categories = {}, survey: surveyed, description: owned, effects, allows: allowed, redact, limits } = given;
    const { settings } = c.var.services;
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    const auth = given.auth && (await tryAndStoreAuthOrRefuse(settings, given.auth, url, c.var.admission));
    const address = { name, domain, url, headers: secrets, auth };
    const listed = unwrap(await listRuleCategorizedTools(address, settings, c.var.admission));
    refuseUnlistedEffects(effects, listed.tools);
    const isolation = await makeStoredIsolationOrRefuse(settings, given.isolation, listed);
    const [described] = await workspace.findServersByName([name]);
    const before = { owned, kept: described?.description ?? null, isSameListing: false };
    const [{ tools, sources }, description] = await Promise.all([
      categorizeListedTools(
        c,
        addEffectsToTools(listed.tools, effects),
        mergeOwnerAndKeptCategories(name, categories, [], {}),
      ),
      describeListedServer(c.var, name, listed, before),
    ]);
    const callable = tools.filter((each) => isAllowed(effectOf(each), allowed));
    const now = new Date();
    const id = described?.id ?? newId('srv', now);
    const made = await surveyServerIfOn(
      { ...address, redact, protocolVersion: listed.protocolVersion, gate: makeGateOfServer(c.var, id, limits) },
      callable,
      surveyed,
      settings,
      c.var.admission,
    );
    const record = unwrap(
      await workspace.addServer({
        id,
        limits,
        name,
        domain,
        url,
        ...(await encryptServerHeaders(settings, secrets, url)),
        auth: auth?.stored ?? null,
        tools,
        categorySources: sources,
        ownersEffects: effects,
        allows: allowed,
        redact,
        private: given.private,
        isolation,
        leftOut: listed.leftOut,
        surveyed,
        survey: made,
        info: listed.info,
        protocolVersion: listed.protocolVersion,
        instructions: listed.instructions,
        description,
        at: now.toISOString(),
      }),
    );
    return c.json(record, 201, { Location: `/v1/servers/${record.id}` });
  },
);

const listServers = makeEndpoint(
  {
    method: 'get',
    path: '/v1/servers',
    tags: ['servers'],
    summary: 'List the registered servers',
    middleware: [admitCallerWithScope('read')],
    request: { query: pageQuery },
    responses: {
      200: describeJsonResponse('A page of servers', pageSchema(serverRecord.openapi('Server'))),
      ...problemResponses(),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services.object('workspace', c.var.caller.workspace).listServers(cursor, limit + 1);
    return c.json(
      makePage(read, limit, (server) => server.id),
      200,
    );
  },
);

const getServer = makeEndpoint(
  {
    method: 'get',
    path: '/v1/servers/{id}',
    tags: ['servers'],
    summary: 'Read a server and its tools',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse(
        'The server with its tools as it listed them',
        z.object({
          server: serverRecord.openapi('Server'),
          tools: z.array(tool.openapi('Tool')),
          functionSchemas: profileVerdicts.openapi('FunctionSchemas'),
          standing: serverStanding.nullable().openapi({ description: 'Null if the server has no limits.' }),
        }),
      ),
      ...problemResponses('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    const read = unwrap(await workspace.readServerWithTools(id));
    const standing = await readGovernorStanding(c.var, read.server);
    return c.json({ ...read, functionSchemas: checkSchemasUnderProfiles(read.tools), standing }, 200);
  },
);

const getSurvey = makeEndpoint(
  {
    method: 'get',
    path: '/v1/servers/{id}/survey',
    tags: ['servers'],
    summary: 'Read the survey of a server: what its tools and resources returned when it was listed',
    description:
      'The texts come from the server and are cut to a few thousand characters together. Values of its headers are hidden.',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse(
        'The survey; null if the server was not surveyed',
        z.object({ survey: survey.openapi('Survey').nullable() }),
      ),
      ...problemResponses('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    return c.json({ survey: unwrap(await workspace.readSurvey(id)) }, 200);
  },
);

/** Returns tools as the server listed them: their categories and effects are ours. */
const withoutOurFields = (tools: readonly Tool[]): Tool[] =>
  tools.map((each) => ({ ...each, category: 'other', effect: undefined }));

const headersJson = z.record(z.string(), z.string());

const relistServer = makeEndpoint(
  {
    method: 'post',
    path: '/v1/servers/{id}/relist',
    tags: ['servers'],
    summary: 'List the tools of a server again',
    description:
      'Catalogs that were frozen before stay as they are. `categories` and `effects` correct those of its tools; what the owner or a model gave before is kept, what rules gave is found again. `allows` changes what runs may call from then on. `redact` replaces the rules by which new runs keep secrets out; what is stored already stays as it is. The survey is made again, unless it is off. A model describes the server again only if its tools have changed.',
    middleware: [admitCallerWithScope('run')],
    request: {
      params: idParams,
      body: {
        required: false,
        content: {
          'application/json': {
            schema: z.strictObject({
              survey: surveySwitch.optional(),
              categories: ownersCategories.optional(),
              allows: allows.optional(),
              effects: ownersEffectsOrNone.optional(),
              redact: ownersRedaction.optional(),
              private: privateSwitch.optional(),
              isolation: isolationSchema.optional(),
              description: ownersDescription.optional(),
            }),
          },
        },
      },
    },
    responses: {
      200: describeJsonResponse('The server', serverRecord.openapi('Server')),
      ...problemResponses(...bodyProblems, 'not-found', 'server-not-connected', ...listingProblems),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const { settings } = c.var.services;
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    const [read, connection, before] = await Promise.all([
      workspace.readServerWithTools(id),
      workspace.serverConnection(id),
      workspace.readCategorySources(id),
    ]);
    const { server, tools: known } = unwrap(read);
    if (connection === null) throw refusal('not-found', `there is no server ${id}`);
    const { url } = connection;
    if (url === null)
      throw refusal('server-not-connected', `${server.name} has no address at which its tools could be listed`);
    const headers =
      connection.headers === null
        ? {}
        : headersJson.parse(
            JSON.parse(await decryptOrRefuse(settings, connection.headers, headersEncryptionContext(url))),
          );
    const given = c.req.valid('json');
    const { survey: asked, categories = {}, description: owned, effects = {}, allows: allowed } = given;
    const auth = await decryptAuthOrRefuse(settings, connection.auth);
    const address = { ...server, url, headers, auth };
    const listed = unwrap(await listRuleCategorizedTools(address, settings, c.var.admission));
    refuseUnlistedEffects(effects, listed.tools);
    const isolation = await keepOrMakeStoredIsolation(settings, given.isolation, connection.isolation, listed);
    const corrected = { ...connection.effects, ...effects };
    const kept = mergeOwnerAndKeptCategories(server.name, categories, known, before);
    const isSameListing = listChangedTools(withoutOurFields(known), withoutOurFields(listed.tools)).length === 0;
    const [{ tools, sources }, description] = await Promise.all([
      categorizeListedTools(c, addEffectsToTools(listed.tools, corrected), kept),
      describeListedServer(c.var, server.name, listed, { owned, kept: server.description, isSameListing }),
    ]);
    const surveyed = asked ?? server.survey.on;
    const { redact = server.redact, private: isPrivate } = given;
    const limits = { ownersEffects: corrected, allows: allowed ?? connection.allows, redact, private: isPrivate };
    const callable = tools.filter((each) => isAllowed(effectOf(each), limits.allows));
    const made = await surveyServerIfOn(
      { ...address, redact, protocolVersion: listed.protocolVersion, gate: makeGateOfServer(c.var, id, server.limits) },
      callable,
      surveyed,
      settings,
      c.var.admission,
    );
    const { info, protocolVersion, instructions, leftOut } = listed;
    const at = new Date().toISOString();
    const about = { info, protocolVersion, instructions, description, at };
    const listing = {
      tools,
      leftOut,
      categorySources: sources,
      ...limits,
      isolation,
      surveyed,
      survey: made,
      ...about,
    };
    return c.json(unwrap(await workspace.replaceServerListing(id, listing)), 200);
  },
);

const removeServer = makeEndpoint(
  {
    method: 'delete',
    path: '/v1/servers/{id}',
    tags: ['servers'],
    summary: 'Remove a server',
    description: 'Catalogs keep its tools, runs under way keep going; new runs over those catalogs are refused.',
    middleware: [admitCallerWithScope('run')],
    request: { params: idParams },
    responses: { 204: { description: 'The server and its secrets are gone' }, ...problemResponses('not-found') },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const removed = await c.var.services.object('workspace', c.var.caller.workspace).removeServerKeepingCatalogs(id);
    if (!removed) throw refusal('not-found', `there is no server ${id}`);
    return c.body(null, 204);
  },
);

export const serverEndpoints: readonly Endpoint[] = [
  createServer,
  listServers,
  getServer,
  getSurvey,
  relistServer,
  removeServer,
];
