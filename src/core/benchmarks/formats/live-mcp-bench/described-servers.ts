import { z } from 'zod';
import { type DescribedServer, describedServer } from '#core/catalog/described-server.ts';
import { type ServerInfo, serverTextChars } from '#core/catalog/server-description.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { type Result, err, ok } from '#core/values/result.ts';

/** Empty where there is none. */
const description = z
  .string()
  .max(100_000)
  .nullish()
  .transform((text) => text ?? '');

/** Nothing where there is none: the file's Python wrote `null`, or `"None"` as a text. */
const optionalFields = z
  .union([z.record(z.string(), z.unknown()), z.null(), z.literal('None')])
  .optional()
  .transform((fields) => (fields === null || fields === 'None' ? undefined : fields));

const publishedTool = z.object({
  name: z.string().min(1).max(300),
  description,
  inputSchema: z.record(z.string(), z.unknown()).default({ type: 'object' }),
  outputSchema: optionalFields,
  annotations: optionalFields,
});

const listing = z.object({
  version: z.string().nullish(),
  tools: z.array(publishedTool).max(1_000).default([]),
});

/** A server of LiveMCPBench's list (`tools/LiveMCPTool/tools.json`), with its tools as they were listed under its own name. */
export const publishedServer = z
  .object({
    name: z.string().min(1).max(300),
    description,
    category: z.string().max(100).default(''),
    tools: z.record(z.string(), listing).nullish(),
  })
  .transform(({ tools, ...server }) => {
    const listings = Object.entries(tools ?? {});
    const [first] = listings;
    return {
      ...server,
      description: server.description.trim().slice(0, serverTextChars),
      /** What it is called where it runs; in the published file each server has one listing. */
      ownName: first?.[0] ?? server.name,
      version: first?.[1].version ?? undefined,
      tools: listings.flatMap(([, { tools: listed }]) => listed),
    };
  });
type PublishedServer = z.infer<typeof publishedServer>;

const entries = z.array(z.unknown()).min(1).max(10_000);
const named = z.looseObject({ name: z.string().max(300) });

/**
 * Reads LiveMCPBench's tool file as described servers. A server is called what it is called where it runs, in lower case with
 * hyphens (`Asset_Price_MCP` is `asset-price-mcp`); its domain is the published category. Returns the problems of all
 * broken entries, one text each, if there is any.
 */
export function parseToolFile(text: string): Result<DescribedServer[], readonly string[]> {
  const json = parseJsonWithinLimits(text);
  if (!json.ok) return err([json.problem]);
  const list = entries.safeParse(json.value);
  if (!list.success) return err(['it is not a list of servers']);
  const servers = new Map<string, DescribedServer>();
  const problems: string[] = [];
  for (const [at, entry] of list.data.entries()) {
    const given = named.safeParse(entry);
    const where = `entry ${at + 1}${given.success ? ` (${given.data.name})` : ''}`;
    const read = parseServerEntry(entry);
    if (!read.ok) problems.push(`${where}: ${read.problem}`);
    else if (servers.has(read.value.name)) problems.push(`${where}: another server is called ${read.value.name} too`);
    else servers.set(read.value.name, read.value);
  }
  return problems.length > 0 ? err(problems) : ok([...servers.values()]);
}

function parseServerEntry(entry: unknown): Result<DescribedServer, string> {
  const published = publishedServer.safeParse(entry);
  if (!published.success) return err(issueText(published.error));
  const described = describedServer.safeParse(makeUncheckedDescribedServer(published.data));
  return described.success ? ok(described.data) : err(issueText(described.error));
}

function makeUncheckedDescribedServer({
  name,
  ownName,
  version,
  category,
  description,
  tools,
}: PublishedServer): unknown {
  const cut = (text: string): string => text.slice(0, 200);
  const info: ServerInfo = {
    name: cut(ownName),
    title: cut(name),
    ...(version === undefined ? {} : { version: cut(version) }),
  };
  return {
    name: hyphenatedName(ownName) || hyphenatedName(name),
    domain: hyphenatedName(category).replaceAll('-', ' ') || 'other',
    ...(description === '' ? {} : { description }),
    info,
    tools,
  };
}

/** Returns a text in lower-case letters and digits with hyphens between them, at most 40 characters. */
const hyphenatedName = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '');

function issueText(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.map(String).join('.') ?? '';
  return `${path === '' ? '' : `wrong at ${path}: `}${issue?.message ?? 'not of the required form'}`;
}
