import { readFileSync } from 'node:fs';
import {
  privateJwk,
  signingAlgorithm,
  type MachineAuth,
  type NewConsent,
  type PrivateJwk,
} from '#core/catalog/server-auth.ts';
import type { ServerRecord } from '#core/catalog/server.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
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
import { whyNotText } from '../../engine/why-not.ts';
import { findServerIdByNameElseKeepId } from './find-server.ts';

const server = { name: 'server', about: 'the name or the id of a server' };

const parseHeader: ValueParser<readonly [string, string]> = (text) => {
  const colon = text.indexOf(':');
  if (colon < 1) throw new UsageError('give a name, a colon and a value, such as "Authorization: Bearer abc"');
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
};
/** Headers of a server. */
export const headersOption = repeatableOption(
  'header',
  '"NAME: VALUE"',
  'sent to the server with every request; kept encrypted',
  parseHeader,
);

const clientId = optionalOption(
  'client-id',
  'ID',
  'the OAuth client that asks for tokens for the server: with --client-secret-env or --private-key that of a machine',
  parseNonEmptyText,
);
const secretVariable = optionalOption(
  'client-secret-env',
  'VARIABLE',
  "the environment variable that holds the client's secret",
  parseNonEmptyText,
);
const privateKey = optionalOption(
  'private-key',
  'FILE',
  'the key that signs who the client is: PKCS #8 in PEM, or a JWK',
  parseNonEmptyText,
);
const algorithm = optionalOption(
  'key-algorithm',
  'ALGORITHM',
  'the algorithm of that key: ES256 (without it), RS256, PS256 or EdDSA',
  makeOneOfParser(signingAlgorithm.options),
);
const keyId = optionalOption('key-id', 'ID', 'what the authorization server calls that key', parseNonEmptyText);
const scope = optionalOption(
  'scope',
  'SCOPES',
  'what tokens are asked for; without it what the server names',
  parseNonEmptyText,
);
const issuer = optionalOption(
  'issuer',
  'URL',
  'the only authorization server that gets the credentials; without it the first that the server names',
  parseNonEmptyText,
);

/** The options by which requests to a server are authorized. */
export const authOptions = { clientId, secretVariable, privateKey, algorithm, keyId, scope, issuer } as const;

/** Those of them that say something of a person's consent. */
export const clientOptions = [clientId, secretVariable, scope, issuer] as const;

export const byConsent = flagOption(
  'consent',
  'shows an address at which a person consents in a browser, and waits for that; --client-id is for authorization servers that register no clients',
);

/** Returns what the options say of the client and the scope that a person is asked for. */
export function readConsentClient(given: Given): Omit<NewConsent, 'url'> {
  const other = [privateKey, keyId].find((option) => given.has(option));
  if (other !== undefined) throw new UsageError(`--${other.name} is for machines; a person consents without it`);
  const [id, variable] = [given.parseOptionValue(clientId), given.parseOptionValue(secretVariable)];
  if (id === undefined && variable !== undefined) throw new UsageError('give --client-id with --client-secret-env');
  const [scopes, by] = [given.parseOptionValue(scope), given.parseOptionValue(issuer)];
  return {
    ...(id === undefined ? {} : { clientId: id }),
    ...(variable === undefined ? {} : { clientSecret: readEnvironmentVariableOrThrow(variable) }),
    ...(scopes === undefined ? {} : { scope: scopes }),
    ...(by === undefined ? {} : { issuer: by }),
  };
}

/** Returns what the options say; undefined if they say nothing. */
export function readOAuthOptionsIfGiven(given: Given): MachineAuth | undefined {
  const id = given.parseOptionValue(clientId);
  if (id === undefined) {
    const others = [secretVariable, privateKey, keyId, scope, issuer];
    if (others.some((option) => given.parseOptionValue(option) !== undefined))
      throw new UsageError('give --client-id with the other options of OAuth');
    return undefined;
  }
  const [variable, file] = [given.parseOptionValue(secretVariable), given.parseOptionValue(privateKey)];
  if ((variable === undefined) === (file === undefined))
    throw new UsageError('give one of --client-secret-env and --private-key');
  const [scopes, by, key] = [
    given.parseOptionValue(scope),
    given.parseOptionValue(issuer),
    given.parseOptionValue(keyId),
  ];
  const asked = {
    clientId: id,
    ...(scopes === undefined ? {} : { scope: scopes }),
    ...(by === undefined ? {} : { issuer: by }),
  };
  if (file === undefined)
    return { type: 'client-credentials', ...asked, clientSecret: readEnvironmentVariableOrThrow(variable ?? '') };
  return {
    type: 'private-key-jwt',
    ...asked,
    privateKey: readPrivateKeyFile(file),
    algorithm: given.parseOptionValue(algorithm) ?? 'ES256',
    ...(key === undefined ? {} : { keyId: key }),
  };
}

function readEnvironmentVariableOrThrow(variable: string): string {
  const secret = process.env[variable]?.trim() ?? '';
  if (secret === '') throw new UsageError(`the environment has no ${variable}`);
  return secret;
}

function readPrivateKeyFile(file: string): string | PrivateJwk {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${whyNotText(error)}`, { cause: error });
  }
  if (!text.trimStart().startsWith('{')) return text;
  const parsed = parseJsonWithinLimits(text);
  const key = privateJwk.safeParse(parsed.ok ? parsed.value : null);
  if (!key.success) throw new UsageError(`${file} is no private key in the form of a JWK`);
  return key.data;
}

/** Says in a few words how requests are authorized. */
export const authText = ({ auth, headerNames }: Pick<ServerRecord, 'auth' | 'headerNames'>): string =>
  auth === null
    ? headerNames.length === 0
      ? 'none'
      : `headers: ${headerNames.map(makePrintableLine).join(', ')}`
    : `${auth.consent === null ? 'OAuth' : 'consent'} by ${makePrintableLine(auth.issuer)}`;

const noAuth = flagOption('no-auth', 'asks for no tokens any more');
const noHeaders = flagOption('no-headers', 'sends no headers any more');

const changeSecrets: Command = {
  verb: 'servers secrets',
  about: 'Replace the headers or the OAuth credentials that a server gets',
  more: 'Credentials are tried before they are stored. Attempts that begin later use the new ones, also those of runs under way.',
  operands: [server],
  options: [headersOption, noHeaders, ...Object.values(authOptions), noAuth],
  async run(given, { client, output }) {
    const headers = Object.fromEntries(given.parseOptionValue(headersOption));
    const hasHeaders = Object.keys(headers).length > 0;
    const auth = given.parseOptionValue(noAuth) ? null : readOAuthOptionsIfGiven(given);
    if (!hasHeaders && !given.parseOptionValue(noHeaders) && auth === undefined)
      throw new UsageError('say what is to change: --header, --no-headers, --client-id or --no-auth');
    const id = await findServerIdByNameElseKeepId(client, given.firstOperandWordOrThrow(server));
    const changed = await client.servers.change(id, {
      ...(hasHeaders || given.parseOptionValue(noHeaders) ? { headers } : {}),
      ...(auth === undefined ? {} : { auth }),
    });
    output.writeAsJsonOrLines(changed, () => [`${changed.name}: ${authText(changed)}`]);
  },
};

/** Verbs on the secrets of servers. */
export const serverAuthCommands: readonly Command[] = [changeSecrets];
