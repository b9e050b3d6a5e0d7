import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const runner = join(import.meta.dirname, '../fixtures/servers/run.ts');

/** Writes a file with `mcpServers` of fixture servers, by the name that each has in the file, and returns its path. */
export function writeServerFile(
  folder: string,
  fixtures: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): string {
  const file = join(folder, 'mcp.json');
  const mcpServers = Object.fromEntries(
    Object.entries(fixtures).map(([name, fixture]) => [
      name,
      { command: process.execPath, args: [runner, fixture], env },
    ]),
  );
  writeFileSync(file, JSON.stringify({ mcpServers }));
  return file;
}
