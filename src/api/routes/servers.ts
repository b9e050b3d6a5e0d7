import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import type { ServerAuth } from '#adapters/mcp/oauth/tokens.ts';
import type { Context } from 'hono';
import { mergeOwnerAndKeptCategories } from '#core/catalog/categorized-tools.ts';
import { toolCategory } from '#core/catalog/tool-categories.ts';
import { serverRecord, type ServerRecord } from '#core/catalog/server.ts';
import { consentRecord } from '#core/catalog/consent/consent.ts';
import { checkSchemasUnderProfiles, profileVerdicts } from '#core/models/function-schemas/judge-schemas.ts';
import { listChangedTools } from '#core/catalog/changes.ts';
import { serverTextChars } from '#core/catalog/server-description.ts';
import { allowedEffect, ownersEffects } from '#core/catalog/effect.ts';
import { domainName, serverName, tool, type Tool } from '#core/catalog/tool.ts';
import { survey } from '#core/catalog/survey.ts';
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
import { countServerRequests } from '../middleware/count-server-requests.ts';
import { makePageFromItemsAndOneMore, pageSchema, pageQuery } from '../pages.ts';
import { bodyProblems, describeProblemResponses, refusal, unwrap } from '../problem.ts';
import { ownersLimits, readServerStandingIfLimited, serverStanding } from '../server-limits.ts';
import { describeAndSurveyListedServer, throwIfEffectsOfUnlistedTools } from '../examine-server.ts';
import { ownersRedaction, privateSwitch } from '../server-privacy.ts';
import { isolationSchema, keepOrMakeStoredIsolation, makeStoredIsolationOrRefuse } from '../server-isolation.ts';
import {
  authSchema,
  describeConsent,
  findConsentObject,
  decryptAuthOrRefuse,
  addIssueIfTwoAuthorizations,
  runWithPreparedServerAuth,
} from '../server-auth.ts';
import { decryptServerHeaders, encryptServerHeaders, headersSchema } from '../server-headers.ts';
import { noRules } from '#core/catalog/redaction/rules.ts';
import { listRuleCategorizedTools } from '../server-tools.ts';

const surveySwitch = documented(z.boolean(), {
  description:
    'Whether the listing calls the tools once that only read and need no arguments, and reads the first resources, so that requests can be written about what is there',
});

const ownersDescription = documented(z.string().trim().max(serverTextChars), {
  description:
    'What the server is for, in words. Without it its own instructions are taken, or what a model writes about its tools. Empty withdraws an earlier one.',
});

/** What may be wrong with a server whose tools are listed. */
const listingProblems = [
  'address-forbidden',
  'host-not-proven',
  'server-unreachable',
  'server-timeout',
  'server-rate-limited',
  'server-unauthorized',
  'consent-needed',
  'not-an-mcp-server',
  'no-tools',
  'duplicate-tool',
  'broken-tool-schema',
  'too-many-tools',
  'tools-too-large',
] as const;

const ownersEffectsOrNone = documented(ownersEffects, {
  description:
    "What calls do, by the tool's own name, where the tool says nothing or something wrong: `reads`, `writes`, `destroys` or `unknown`, which counts as `writes`.",
});

const allows = documented(allowedEffect, {
  description: 'The most that calls may do on the server. Catalogs take no tool that does more, and no run calls one.',
});

const ownersCategories = documented(z.record(z.string().max(128), toolCategory), {
  description: "Categories by the tool's own name. A model gives the others, or rules where no model answers.",
});

const newServer = documented(
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
    .superRefine(addIssueIfTwoAuthorizations),
  'NewServer',
);

const createServer = makeEndpoint(
  {
    method: 'post',
    path: '/v1/servers',
    tags: ['servers'],
    summary: 'Register a remote MCP server',
    description:
      'Connects over Streamable HTTP and lists the tools before anything is stored. Headers are encrypted at rest and never returned. A server of that name that is only described is replaced: it keeps its id and its description.',
    middleware: [admitCallerWithScope('run'), countServerRequests],
    request: {
      body: describeJsonBody(newServer),
    },
    responses: {
      201: describeCreatedResponse('The server', documented(serverRecord, 'Server')),
      ...describeProblemResponses(...bodyProblems, 'name-taken', ...listingProblems),
    },
  },
  async (c) => {
    const given = c.req.valid('json');
    const [described] = await c.var.services
      .object('workspace', c.var.caller.workspace)
      .findServersByName([given.name]);
    // The consent of a server that is registered already is not taken from it.
    if (described !== undefined && described.url !== null && given.auth?.type === 'authorization-code')
      throw refusal('name-taken', `a server named "${given.name}" is registered already`);
    const id = described?.id ?? newId('srv', new Date());
    const record = await runWithPreparedServerAuth(c.var, given.auth, { id, url: given.url }, (auth) =>
      registerServer(c, given, { id, auth, keptDescription: described?.description ?? null }),
    );
    return c.json(record, 201, { Location: `/v1/servers/${record.id}` });
  },
);

/** Lists the tools of a server, finds out about them, and stores it. */
async function registerServer(
  c: Context<ApiEnv>,
  { name, domain, url, headers: secrets = {}, ...given }: z.infer<typeof newServer>,
  {
    id,
    auth,
    keptDescription: kept,
  }: {
    readonly id: string;
    readonly auth: ServerAuth | undefined;
    readonly keptDescription: ServerRecord['description'];
  },
): Promise<ServerRecord> {
  const { categories = {}, survey: surveyed, description: owned, effects, allows: allowed, redact, limits } = given;
  const { settings } = c.var.services;
  const workspace = c.var.services.object('workspace', c.var.caller.workspace);
  const address = { name, domain, url, headers: secrets, auth, admit: c.var.admit };
  const listed = unwrap(await listRuleCategorizedTools(address, settings, c.var.admission));
  throwIfEffectsOfUnlistedTools(effects, listed.tools);
  const isolation = await makeStoredIsolationOrRefuse(settings, given.isolation, listed);
  const stated = { id, limits, allows: allowed, redact, surveyed };
  const examined = await describeAndSurveyListedServer(c.var, listed, {
    ...stated,
    address,
    effects,
    categories: mergeOwnerAndKeptCategories(name, categories, [], {}),
    description: { owned, kept, isSameListing: false },
  });
  const { leftOut, info, protocolVersion, instructions } = listed;
  return unwrap(
    await workspace.addServer({
      ...stated,
      name,
      domain,
      url,
      ...(await encryptServerHeaders(settings, secrets, url)),
      auth: auth?.stored ?? null,
      tools: examined.tools,
      categorySources: examined.sources,
      ownersEffects: effects,
      private: given.private,
      isolation,
      leftOut,
      survey: examined.survey,
      info,
      protocolVersion,
      instructions,
      description: examined.description,
      at: new Date().toISOString(),
    }),
  );
}

const listServers = makeEndpoint(
  {
    method: 'get',
    path: '/v1/servers',
    tags: ['servers'],
    summary: 'List the registered servers',
    middleware: [admitCallerWithScope('read')],
    request: { query: pageQuery },
    responses: {
      200: describeJsonResponse('A page of servers', pageSchema(documented(serverRecord, 'Server'))),
      ...describeProblemResponses(),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services.object('workspace', c.var.caller.workspace).listServers(cursor, limit + 1);
    return c.json(
      makePageFromItemsAndOneMore(read, limit, (server) => server.id),
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
          server: documented(serverRecord, 'Server'),
          tools: z.array(documented(tool, 'Tool')),
          functionSchemas: documented(profileVerdicts, 'FunctionSchemas'),
          standing: documented(serverStanding.nullable(), { description: 'Null if the server has no limits.' }),
          consent: documented(documented(consentRecord, 'Consent').nullable(), {
            description:
              'The consent that its requests are authorized by: `given`, or `lost` and somebody has to consent again. Null if it rests on none.',
          }),
        }),
      ),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    const read = unwrap(await workspace.readServerWithTools(id));
    const [standing, consent] = await Promise.all([
      readServerStandingIfLimited(c.var, read.server),
      describeConsent(c.var, read.server),
    ]);
    return c.json({ ...read, functionSchemas: checkSchemasUnderProfiles(read.tools), standing, consent }, 200);
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
        z.object({ survey: documented(survey, 'Survey').nullable() }),
      ),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    return c.json({ survey: unwrap(await workspace.readSurvey(id)) }, 200);
  },
);

/** Returns tools as the server listed them: their categories and effects are ours. */
const toolsWithoutCategoryAndEffect = (tools: readonly Tool[]): Tool[] =>
  tools.map((each) => ({ ...each, category: 'other', effect: undefined }));

const relistServer = makeEndpoint(
  {
    method: 'post',
    path: '/v1/servers/{id}/relist',
    tags: ['servers'],
    summary: 'List the tools of a server again',
    description:
      'Catalogs that were frozen before stay as they are. `categories` and `effects` correct those of its tools; what the owner or a model gave before is kept, what rules gave is found again. `allows` changes what runs may call from then on. `redact` replaces the rules by which new runs keep secrets out; what is stored already stays as it is. The survey is made again, unless it is off. A model describes the server again only if its tools have changed.',
    middleware: [admitCallerWithScope('run'), countServerRequests],
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
      200: describeJsonResponse('The server', documented(serverRecord, 'Server')),
      ...describeProblemResponses(...bodyProblems, 'not-found', 'server-not-connected', ...listingProblems),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const { settings } = c.var.services;
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    const [read, connection, before] = await Promise.all([
      workspace.readServerWithTools(id),
      workspace.serverConnection(id),
      workspace.readWhoCategorizedTools(id),
    ]);
    const { server, tools: known } = unwrap(read);
    if (connection === null) throw refusal('not-found', `there is no server ${id}`);
    const { url } = connection;
    if (url === null)
      throw refusal('server-not-connected', `${server.name} has no address at which its tools could be listed`);
    const headers = await decryptServerHeaders(settings, connection, url);
    const given = c.req.valid('json');
    const { survey: asked, categories = {}, description: owned, effects = {}, allows: allowed } = given;
    const auth = await decryptAuthOrRefuse(c.var.services, connection.auth);
    const address = { ...server, url, headers, auth, admit: c.var.admit };
    const listed = unwrap(await listRuleCategorizedTools(address, settings, c.var.admission));
    throwIfEffectsOfUnlistedTools(effects, listed.tools);
    const isolation = await keepOrMakeStoredIsolation(settings, given.isolation, connection.isolation, listed);
    const corrected = { ...connection.effects, ...effects };
    const kept = mergeOwnerAndKeptCategories(server.name, categories, known, before);
    const isSameListing =
      listChangedTools(toolsWithoutCategoryAndEffect(known), toolsWithoutCategoryAndEffect(listed.tools)).length === 0;
    const surveyed = asked ?? server.survey.on;
    const { redact = server.redact, private: isPrivate } = given;
    const limits = { ownersEffects: corrected, allows: allowed ?? connection.allows, redact, private: isPrivate };
    const {
      tools,
      sources,
      description,
      survey: made,
    } = await describeAndSurveyListedServer(c.var, listed, {
      id,
      address,
      effects: corrected,
      categories: kept,
      description: { owned, kept: server.description, isSameListing },
      allows: limits.allows,
      limits: server.limits,
      redact,
      surveyed,
    });
    const { info, protocolVersion, instructions, leftOut } = listed;
    const at = new Date().toISOString();
    const about = { info, protocolVersion, instructions, description, leftOut, isolation, at };
    const listing = { tools, categorySources: sources, ...limits, surveyed, survey: made, ...about };
    return c.json(unwrap(await workspace.replaceServerListing(id, listing)), 200);
  },
);

const removeServer = makeEndpoint(
  {
    method: 'delete',
    path: '/v1/servers/{id}',
    tags: ['servers'],
    summary: 'Remove a server',
    description:
      'Catalogs keep its tools, runs under way keep going; new runs over those catalogs are refused. The consent of a person is withdrawn, so runs under way cannot use the server any more once their tokens are revoked or run out.',
    middleware: [admitCallerWithScope('run')],
    request: { params: idParams },
    responses: {
      204: { description: 'The server and its secrets are gone' },
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    const connection = await workspace.serverConnection(id);
    const removed = await workspace.removeServerKeepingCatalogs(id);
    if (!removed) throw refusal('not-found', `there is no server ${id}`);
    await findConsentObject(c.var.services, connection?.auth ?? null)?.withdraw();
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
