import { readFileSync } from 'node:fs';
import { whyNotText } from './why-not.ts';

/** What a file of MCP servers holds; or what is wrong with it, in a line that follows the file's name, and the error behind it. */
export type ServersJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string; readonly cause: unknown };

/** Reads a file with `mcpServers` as JSON, without a look at its form. */
export function readServersJson(path: string): ServersJson {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const problem = `cannot be read: ${firstLineOfReason(cause)}; give the path of a file with "mcpServers", as MCP clients have it`;
    return { ok: false, problem, cause };
  }
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (cause) {
    return { ok: false, problem: `is not JSON: ${firstLineOfReason(cause)}`, cause };
  }
}

const firstLineOfReason = (cause: unknown): string => whyNotText(cause).split('\n', 1)[0] ?? '';
