import { issueText } from '#core/values/issue-text.ts';
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { serverName } from '#core/catalog/tool.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { readServersJson } from '../../engine/read-servers-json.ts';

/** A server of a file that is a program of this machine. */
export interface StdioEntry {
  readonly kind: 'stdio';
  readonly name: string;
  readonly domain: string | undefined;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where the program runs. */
  readonly cwd: string;
}

/** A server of a file that has an address. */
export interface HttpEntry {
  readonly kind: 'http';
  readonly name: string;
  readonly domain: string | undefined;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type ServerEntry = StdioEntry | HttpEntry;

/** A server of a file and where it answers. */
export interface PlacedServer extends Omit<HttpEntry, 'kind'> {}

/** Gives each server of a file its address; `urlOf` says where a local one is served. */
export const addAddressToEachServer = (
  entries: readonly ServerEntry[],
  urlOf: (name: string) => string,
): PlacedServer[] =>
  entries.map((entry) => {
    const { name, domain } = entry;
    return entry.kind === 'http'
      ? { name, domain, url: entry.url, headers: entry.headers }
      : { name, domain, url: urlOf(name), headers: {} };
  });

const shared = { domain: z.string().optional(), disabled: z.boolean().default(false) };
const stdioEntry = z.object({
  ...shared,
  type: z.literal('stdio', 'a server with a command has the type "stdio"').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).default({}),
  cwd: z.string().optional(),
});
const httpEntry = z.object({
  ...shared,
  type: z
    .enum(['http', 'streamable-http', 'streamableHttp'], {
      error: 'only Streamable HTTP is spoken: give the type "http" and the address of that endpoint',
    })
    .optional(),
  url: z.url({ protocol: /^https?$/, error: 'give an http or https address' }),
  headers: z.record(z.string(), z.string()).default({}),
});

const entries = z
  .record(z.string(), z.record(z.string(), z.unknown(), 'give an object with "command" or "url"'))
  .refine((servers) => Object.keys(servers).length > 0, 'there is no server in the file');
const serverFile = z.object({ mcpServers: entries.optional(), servers: entries.optional() });

/**
 * Reads a file of MCP servers as clients have it: `mcpServers`, or `servers` as VS Code calls it. Replaces `${NAME}`,
 * `${NAME:-default}` and `${env:NAME}` by variables of the environment, makes names that Sextant takes from any others
 * ("My server" becomes "my-server"), and leaves out entries that are disabled. Folders are looked up from the file's
 * own. Throws a UsageError with one line for a person if there is no such file, an entry is not of that form, or two have the same name.
 */
export function readServerFile(path: string, environment: Readonly<Record<string, string | undefined>>): ServerEntry[] {
  const json = readServersJson(path);
  if (!json.ok) throw new UsageError(`${path} ${json.problem}`, { cause: json.cause });
  const parsed = serverFile.safeParse(json.value);
  if (!parsed.success) throw new UsageError(parsed.error.issues.map((issue) => placedIssueText('', issue)).join('; '));
  const servers = parsed.data.mcpServers ?? parsed.data.servers;
  if (servers === undefined) throw new UsageError('the file: give an object with "mcpServers", as MCP clients have it');
  const folder = dirname(resolve(path));
  const read = Object.entries(servers).flatMap(([key, value]) =>
    parseServerEntryUnlessDisabled(key, value, folder, environment),
  );
  for (const { name } of read)
    if (read.filter((each) => each.name === name).length > 1)
      throw new UsageError(`two servers of the file would have the name "${name}"; give one of them another name`);
  if (read.length === 0) throw new UsageError('all servers of the file are disabled');
  return read;
}

function parseServerEntryUnlessDisabled(
  key: string,
  written: Readonly<Record<string, unknown>>,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): ServerEntry[] {
  const expanded = expandVariablesInTexts(key, written, { folder, environment });
  const isHttp = !('command' in written);
  if (isHttp && !('url' in written)) throw new UsageError(`${key}: give a "command" or a "url"`);
  const name = serverNameForKey(key);
  const refuse = (error: z.ZodError): never => {
    throw new UsageError(error.issues.map((issue) => placedIssueText(key, issue)).join('; '));
  };
  if (isHttp) {
    const { data, error } = httpEntry.safeParse(expanded);
    if (error !== undefined) return refuse(error);
    const { url, headers, domain } = data;
    return data.disabled ? [] : [{ kind: 'http', name, domain, url, headers }];
  }
  const { data, error } = stdioEntry.safeParse(expanded);
  if (error !== undefined) return refuse(error);
  const { command, args, env, domain } = data;
  const cwd = resolve(folder, data.cwd ?? '.');
  if (data.disabled) return [];
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`${key}.cwd: there is no folder ${cwd}`);
  return [{ kind: 'stdio', name, domain, command, args, env, cwd }];
}

/** Makes words of letters and digits with hyphens between them of any text: "My server" becomes "my-server". */
export const makeSlug = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

function serverNameForKey(key: string): string {
  const name = makeSlug(key);
  const { success } = serverName.safeParse(name);
  if (!success)
    throw new UsageError(
      `${key}: no name can be made of it; ${serverName.safeParse(name).error?.issues[0]?.message ?? ''}`,
    );
  return name;
}

interface Surroundings {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Expands variables in all texts of an entry. */
function expandVariablesInTexts(at: string, value: unknown, surroundings: Surroundings): unknown {
  if (typeof value === 'string') return expandVariables(at, value, surroundings);
  if (Array.isArray(value))
    return value.map((each, index) => expandVariablesInTexts(`${at}.${index}`, each, surroundings));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, expandVariablesInTexts(`${at}.${key}`, each, surroundings)]),
  );
}

const variable = /\$\{([^}]*)\}/g;

function expandVariables(at: string, text: string, { folder, environment }: Surroundings): string {
  return text.replaceAll(variable, (_, inside: string) => {
    if (inside === 'workspaceFolder') return folder;
    if (inside === 'userHome') return homedir();
    if (inside.startsWith('input:'))
      throw new UsageError(`${at}: \${${inside}} is asked for by an editor; write \${NAME} and set that variable`);
    const [, name = '', fallback] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/.exec(inside) ?? [];
    const found = environment[name] ?? fallback;
    if (name === '') throw new UsageError(`${at}: \${${inside}} is not known; write \${NAME} or \${NAME:-default}`);
    if (found === undefined) throw new UsageError(`${at}: the environment has no ${name}`);
    return found;
  });
}

function placedIssueText(at: string, issue: z.core.$ZodIssue): string {
  return `${[at, ...issue.path.map(String)].filter((part) => part !== '').join('.') || 'the file'}: ${issueText(issue)}`;
}
