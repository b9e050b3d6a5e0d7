import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { serverName } from '#core/catalog/tool.ts';
import { listedTool, type ListedServer } from '#core/reports/check/listed-tool.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { makeSlug, readServerFile, type ServerEntry } from '../serve/server-file.ts';

/** What is checked: servers that can be asked, or the list of tools that one gave. */
export type CheckTarget =
  | { readonly kind: 'servers'; readonly entries: readonly ServerEntry[] }
  | { readonly kind: 'list'; readonly server: ListedServer };

/** The result of `tools/list`, its whole response, or the tools alone. */
const listFile = z.union([
  z.array(z.unknown()).transform((tools) => ({ tools, instructions: undefined })),
  z.looseObject({ tools: z.array(z.unknown()), instructions: z.string().optional() }),
  z
    .looseObject({ result: z.looseObject({ tools: z.array(z.unknown()) }) })
    .transform(({ result }) => ({ tools: result.tools, instructions: undefined })),
]);

/** Reads the word that names what is checked: an address, a file with `mcpServers`, or one with the result of `tools/list`. Throws a UsageError for anything else. */
export function readCheckTarget(what: string): CheckTarget {
  if (/^https?:/i.test(what)) {
    const entry = { kind: 'http', name: nameOfHost(what), domain: undefined, url: what, headers: {} } as const;
    return { kind: 'servers', entries: [entry] };
  }
  const list = readListOrNull(what);
  return list === null
    ? { kind: 'servers', entries: readServerFile(what, process.env) }
    : { kind: 'list', server: list };
}

/** Returns the server whose tools a file lists; null if it is no such file. */
function readListOrNull(path: string): ListedServer | null {
  const text = readTextOrNull(path);
  const json = text === null ? null : parseJsonWithinLimits(text);
  if (json === null || !json.ok) return null;
  const parsed = listFile.safeParse(json.value);
  if (!parsed.success) return null;
  const tools = parsed.data.tools.map((each, index) => {
    const tool = listedTool.safeParse(each);
    if (tool.success) return tool.data;
    throw new UsageError(`${path}: tools.${index} has no name; give what "tools/list" answers`);
  });
  const name = makeSlug(basename(path).replace(/\.json$/i, '')).slice(0, 40);
  return { name: name === '' ? 'server' : name, instructions: parsed.data.instructions, tools };
}

function readTextOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The reader of files with servers says what is wrong with the path.
    return null;
  }
}

/** Returns a name for the server at an address: its host, such as `mcp-example-com`. */
function nameOfHost(address: string): string {
  const name = serverName.safeParse(makeSlug(URL.parse(address)?.hostname ?? '').slice(0, 40));
  if (!name.success)
    throw new UsageError(`"${address}" is no address of a server; give one such as https://example.com/mcp`);
  return name.data;
}
