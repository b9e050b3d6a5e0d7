import { toolCategory, type ToolCategory } from '#core/catalog/tool-categories.ts';
import { allowedEffect, toolEffect, type ToolEffect } from '#core/catalog/effect.ts';
import { domainName, serverName } from '#core/catalog/tool.ts';
import type { Command, Given } from '../command-line/command.ts';
import {
  flagOption,
  makeOneOfParser,
  optionalOption,
  parseNonEmptyText,
  repeatableOption,
  makeSchemaTextParser,
  type ValueParser,
} from '../command-line/options.ts';
import type { ProfileVerdicts } from '#core/models/function-schemas/judge-schemas.ts';
import type { Survey } from '#core/catalog/survey.ts';
import { countWithNoun, makePrintableLine, countsByNameText } from '../command-line/text.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { addedServerLines, descriptionText, surveyOutcomeText } from './server-lines.ts';
import { addAllServersOfGateway, usualGateway } from './add-all-servers.ts';
import { registerServersOfFile, bridgeOption } from './add-server-file.ts';
import { findServerIdByNameElseKeepId } from './find-server.ts';
import { limitOptions, limitServer, limitsText, readLimitOptions } from './server-limits.ts';
import { proveServer } from './prove-server.ts';
import { isolationOptions, serverIsolationText, readIsolationOptions } from './isolation.ts';
import { askForConsentAndWait } from './consents.ts';
import {
  authOptions,
  authText,
  byConsent,
  headersOption,
  readOAuthOptionsIfGiven,
  readConsentClient,
} from './server-auth.ts';
import { privacyOptions, readRedactionOptions } from './privacy.ts';

const name = {
  name: 'name',
  about:
    'what to call the server: lower-case letters, digits and hyphens; or a file of servers, which ends in .json; or, with --all, the address of a gateway',
  optional: true,
} as const;
const url = {
  name: 'url',
  about: 'the address of its Streamable HTTP endpoint; none with a file',
  optional: true,
} as const;
const server = { name: 'server', about: 'the name or the id of a server' };

const all = flagOption(
  'all',
  `all servers behind the gateway of "npm start" (${usualGateway}), or behind the one named`,
);
const domain = optionalOption(
  'domain',
  'DOMAIN',
  'the field that the server belongs to, such as "finance": transitions are also counted between domains; needed unless --all says it',
  makeSchemaTextParser(domainName),
);

const noSurvey = flagOption(
  'no-survey',
  'calls none of its tools when it is listed, so writers know nothing of its contents',
);

const parseToolNameAndCategory: ValueParser<readonly [string, ToolCategory]> = (text) => {
  const equals = text.lastIndexOf('=');
  const category = toolCategory.safeParse(text.slice(equals + 1));
  if (equals < 1 || !category.success)
    throw new UsageError(`give a tool, "=" and one of: ${toolCategory.options.join(', ')}`);
  return [text.slice(0, equals), category.data];
};
const categories = repeatableOption(
  'category',
  'TOOL=CATEGORY',
  "corrects a tool's category, under the tool's own name",
  parseToolNameAndCategory,
);

const description = optionalOption(
  'description',
  'TEXT',
  'what the server is for; else its own instructions, or what a model writes about its tools',
  parseNonEmptyText,
);

export const allowsOption = optionalOption(
  'allow',
  'EFFECT',
  'the most that calls may do on it: reads (without it), writes or destroys; a tool that does not say what it does counts as one that writes',
  makeOneOfParser(allowedEffect.options),
);

const parseToolNameAndEffect: ValueParser<readonly [string, ToolEffect]> = (text) => {
  const equals = text.lastIndexOf('=');
  const effect = toolEffect.safeParse(text.slice(equals + 1));
  if (equals < 1 || !effect.success)
    throw new UsageError(`give a tool, "=" and one of: ${toolEffect.options.join(', ')}`);
  return [text.slice(0, equals), effect.data];
};
const effects = repeatableOption(
  'effect',
  'TOOL=EFFECT',
  "says what a tool's calls do, under the tool's own name, where it says nothing or something wrong",
  parseToolNameAndEffect,
);

const addServer: Command = {
  verb: 'servers add',
  about: 'Register a remote MCP server, or all servers of a file',
  more: [
    'A file has `mcpServers`, as MCP clients have it. Its local servers must be served: run "serve <file>" in another terminal first.',
    'The address is mostly that of a path such as /mcp. Runs call its tools: only those that read, unless --allow says more.',
  ].join('\n'),
  operands: [name, url],
  options: [
    domain,
    headersOption,
    ...Object.values(authOptions),
    byConsent,
    allowsOption,
    effects,
    categories,
    noSurvey,
    description,
    ...Object.values(limitOptions),
    ...Object.values(privacyOptions),
    ...Object.values(isolationOptions),
    bridgeOption,
    all,
  ],
  async run(given, context) {
    const address = given.operandWords(url)[0];
    if (given.parseOptionValue(all)) {
      throwIfOptionsOfOneServerGiven(given);
      const gateway = given.operandWords(name)[0] ?? usualGateway;
      return addAllServersOfGateway(
        gateway,
        { domain: given.parseOptionValue(domain), ...readOptionsForManyServers(given) },
        context,
      );
    }
    const named = given.firstOperandWordOrThrow(name);
    const field = given.parseOptionValue(domain);
    if (field === undefined) throw new UsageError(`--domain DOMAIN is missing: ${domain.about}`);
    const shared = { domain: field, ...readOptionsForManyServers(given) };
    if (address === undefined && named.endsWith('.json')) {
      throwIfOptionsOfOneServerGiven(given);
      return registerServersOfFile({ file: named, bridge: given.parseOptionValue(bridgeOption), shared }, context);
    }
    if (address === undefined)
      throw new UsageError('url is missing: give a name and an address, or a file of servers that ends in .json');
    const stated = given.parseOptionValue(description);
    const parsedName = parseServerName(named);
    const auth = given.parseOptionValue(byConsent)
      ? await askForConsentAndWait({ url: address, ...readConsentClient(given) }, context)
      : readOAuthOptionsIfGiven(given);
    const added = await context.client.servers.add({
      name: parsedName,
      url: address,
      ...shared,
      headers: Object.fromEntries(given.parseOptionValue(headersOption)),
      ...(auth === undefined ? {} : { auth }),
      categories: Object.fromEntries(given.parseOptionValue(categories)),
      effects: Object.fromEntries(given.parseOptionValue(effects)),
      ...(stated === undefined ? {} : { description: stated }),
    });
    context.output.writeAsJsonOrLines(added, () => addedServerLines(added));
  },
};

/** Options that say something of one server; a file of several has its own words for it, or none. */
const ofOneServer = [headersOption, ...Object.values(authOptions), byConsent, effects, categories, description];

function throwIfOptionsOfOneServerGiven(given: Given): void {
  const single = ofOneServer.find((option) => given.has(option));
  if (single !== undefined)
    throw new UsageError(`--${single.name} says something of one server; add that one by its name and address`);
}

/** Reads the options that may hold for many servers. */
function readOptionsForManyServers(given: Given) {
  const allowed = given.parseOptionValue(allowsOption);
  const isolation = readIsolationOptions(given);
  return {
    survey: !given.parseOptionValue(noSurvey),
    redact: readRedactionOptions(given),
    limits: readLimitOptions(given),
    ...(given.parseOptionValue(privacyOptions.isPrivate) ? { private: true } : {}),
    ...(allowed === undefined ? {} : { allows: allowed }),
    ...(isolation === undefined ? {} : { isolation }),
  };
}

function parseServerName(text: string): string {
  try {
    return makeSchemaTextParser(serverName)(text);
  } catch (error) {
    throw new UsageError(`"${text}" cannot be a server's name: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
}

const listServers: Command = {
  verb: 'servers list',
  about: 'List the registered servers',
  operands: [],
  options: [],
  run: (_, { client, output }) =>
    output.writeRowsAsJsonOrTable(
      client.servers.list(),
      [
        { title: 'name', cell: ({ name }) => name },
        { title: 'domain', cell: ({ domain }) => domain },
        { title: 'tools', cell: ({ tools }) => tools },
        { title: 'categories', cell: (each) => countsByNameText(each.categories), flexible: true },
        { title: 'allows', cell: (each) => each.allows },
        { title: 'limits', cell: (each) => limitsText(each.limits) },
        { title: 'state', cell: serverIsolationText },
        { title: 'secrets', cell: authText },
        { title: 'private', cell: (each) => (each.private ? 'yes' : 'no') },
        { title: 'survey', cell: ({ survey }) => surveyOutcomeText(survey) },
        { title: 'marks errors', cell: ({ errors }) => errors.marks ?? 'not known' },
        { title: 'url', cell: ({ url }) => url ?? 'described, not connected', flexible: true },
        { title: 'description', cell: (each) => descriptionText(each.description), flexible: true },
        { title: 'id', cell: ({ id }) => id },
      ],
      'no servers are registered; add one with: servers add <name> <url> --domain DOMAIN',
    ),
};

const removeServer: Command = {
  verb: 'servers remove',
  about: 'Remove a server; catalogs keep its tools',
  operands: [server],
  options: [],
  async run(given, { client, output }) {
    const wanted = given.firstOperandWordOrThrow(server);
    const id = await findServerIdByNameElseKeepId(client, wanted);
    await client.servers.remove(id);
    output.writeAsJsonOrLines({ removed: id }, () => [`${wanted} is removed`]);
  },
};

const showSurvey: Command = {
  verb: 'servers survey',
  about: 'Show what the tools and resources of a server returned when it was listed',
  operands: [server],
  options: [],
  async run(given, { client, output }) {
    const made = await client.servers.survey(
      await findServerIdByNameElseKeepId(client, given.firstOperandWordOrThrow(server)),
    );
    output.writeAsJsonOrLines(made, () => surveyLines(made));
  },
};

const showSchemas: Command = {
  verb: 'servers schemas',
  about: "Show which schemas of a server's tools are rewritten for models' endpoints, and which cannot be",
  operands: [server],
  options: [],
  async run(given, { client, output }) {
    const id = await findServerIdByNameElseKeepId(client, given.firstOperandWordOrThrow(server));
    const { functionSchemas, tools } = await client.servers.get(id);
    output.writeAsJsonOrLines(functionSchemas, () => profileVerdictLines(functionSchemas, tools.length));
  },
};

function profileVerdictLines(verdicts: ProfileVerdicts, tools: number): string[] {
  return verdicts.flatMap(({ profile, rewritten, leftOut }) => [
    `${profile}: ${countWithNoun(tools - rewritten.length - leftOut.length, 'tool')} unchanged, ${rewritten.length} rewritten with the same meaning, ${leftOut.length} left out`,
    ...rewritten.map(({ tool, rewrites }) => `  ${makePrintableLine(tool)}: ${rewrites.join(', ')}`),
    ...leftOut.map(
      ({ tool, reason, pointer }) =>
        `  ${makePrintableLine(tool)} is left out: ${reason} at ${makePrintableLine(pointer || '/')}`,
    ),
  ]);
}

function surveyLines(made: Survey | null): string[] {
  if (made === null) return ['there is no survey: it is off, or the server was listed by an earlier release'];
  const { at, entries, failed, problem } = made;
  if (problem !== null) return [`the server could not be asked: ${makePrintableLine(problem)}`];
  return [
    `${countWithNoun(entries.length, 'text')}, ${failed} failed (${at})`,
    ...entries.flatMap(({ from, text, cutChars }) => [
      '',
      makePrintableLine(from),
      `  ${makePrintableLine(text)}${cutChars === 0 ? '' : ` [${countWithNoun(cutChars, 'more character')}]`}`,
    ]),
  ];
}

/** Verbs on servers. */
export const serverCommands: readonly Command[] = [
  addServer,
  listServers,
  limitServer,
  proveServer,
  showSurvey,
  showSchemas,
  removeServer,
];
