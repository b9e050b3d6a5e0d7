import type { ServerRecord } from '#core/catalog/server.ts';
import type { Command, Given } from '../command-line/command.ts';
import {
  flagOption,
  makeOneOfParser,
  optionalOption,
  parseNonEmptyText,
  repeatableOption,
  type ValueParser,
} from '../command-line/options.ts';
import { makePrintableLine } from '../command-line/text.ts';
import { UsageError } from '../../engine/usage-error.ts';
import type { NewServer } from '../resources/servers.ts';
import { findServerIdByNameElseKeepId } from './find-server.ts';

const server = { name: 'server', about: 'the name or the id of a server' };

const kind = optionalOption(
  'isolation',
  'KIND',
  'how attempts are kept apart on it: session (it keeps state per session) or none',
  makeOneOfParser(['none', 'session'] as const),
);
const tool = optionalOption('reset-tool', 'TOOL', 'the tool of the server that resets it', parseNonEmptyText);

const parseNameAndJsonOrText: ValueParser<readonly [string, unknown]> = (text) => {
  const equals = text.indexOf('=');
  if (equals < 1) throw new UsageError('give a name, "=" and a value: JSON, or else a text');
  const value = text.slice(equals + 1);
  try {
    return [text.slice(0, equals), JSON.parse(value)];
  } catch {
    // Not JSON: the text itself.
    return [text.slice(0, equals), value];
  }
};
const resetArguments = repeatableOption(
  'reset-argument',
  'NAME=VALUE',
  "an argument of that tool's call; {attempt} in it becomes the attempt's id",
  parseNameAndJsonOrText,
);
const webhook = optionalOption(
  'reset-webhook',
  'URL',
  'where a signed request resets the server (Standard Webhooks)',
  parseNonEmptyText,
);
const secretVariable = optionalOption(
  'reset-secret-env',
  'VARIABLE',
  'the environment variable with the secret of the webhook, whsec_...',
  parseNonEmptyText,
);
const after = flagOption('reset-after', 'resets after each attempt, not before it');

/** The options that say how attempts are kept apart on a server. */
export const isolationOptions = { kind, tool, resetArguments, webhook, secretVariable, after } as const;

/** Returns what the options say; undefined if they say nothing. */
export function readIsolationOptions(given: Given): NewServer['isolation'] {
  const [named, address, stated] = [
    given.parseOptionValue(tool),
    given.parseOptionValue(webhook),
    given.parseOptionValue(kind),
  ];
  if ([named, address, stated].filter((each) => each !== undefined).length > 1)
    throw new UsageError('give one of --isolation, --reset-tool and --reset-webhook');
  const when = given.parseOptionValue(after) ? 'after' : 'before';
  if (named !== undefined) {
    const args = Object.fromEntries(given.parseOptionValue(resetArguments));
    return { kind: 'reset', when, by: { tool: named, arguments: args } };
  }
  if (address !== undefined)
    return { kind: 'reset', when, by: { webhook: address, secret: readSecretFromEnvironment(given) } };
  return stated === undefined ? undefined : { kind: stated };
}

function readSecretFromEnvironment(given: Given): string {
  const variable = given.parseOptionValue(secretVariable);
  if (variable === undefined) throw new UsageError('--reset-webhook needs --reset-secret-env');
  const secret = process.env[variable]?.trim() ?? '';
  if (secret === '') throw new UsageError(`the environment has no ${variable}`);
  return secret;
}

/** Says in a few words how attempts are kept apart. */
export function serverIsolationText({ isolation }: Pick<ServerRecord, 'isolation'>): string {
  if (isolation.kind === 'none') return 'attempts share its state';
  if (isolation.kind === 'session') return 'state per session';
  const { by, when } = isolation;
  return `reset ${when} each attempt by ${makePrintableLine('tool' in by ? by.tool : by.webhook)}`;
}

const isolateServer: Command = {
  verb: 'servers isolate',
  about: 'Say how the state that attempts change on a server is kept apart',
  more: 'Attempts that may write use a server one at a time, unless it keeps state per session. Runs keep to what holds when they are created.',
  operands: [server],
  options: Object.values(isolationOptions),
  async run(given, { client, output }) {
    const isolation = readIsolationOptions(given);
    if (isolation === undefined) throw new UsageError('give one of --isolation, --reset-tool and --reset-webhook');
    const id = await findServerIdByNameElseKeepId(client, given.firstOperandWordOrThrow(server));
    const changed = await client.servers.relist(id, { isolation });
    output.writeAsJsonOrLines(changed, () => [`${changed.name}: ${serverIsolationText(changed)}`]);
  },
};

/** Verbs on the state of servers. */
export const isolationCommands: readonly Command[] = [isolateServer];
