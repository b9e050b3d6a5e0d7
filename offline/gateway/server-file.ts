import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { SERVERS, type ServerSpec } from './servers.ts';

const bundled = new Set(SERVERS.map(({ name }) => name));
const serverName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'lower-case letters, digits and hyphens, at most 40, no hyphen first')
  .refine((name) => !bundled.has(name), 'this is the name of a bundled server, for which there are cards and files');

const entry = z.object({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  /** A folder of which every session gets a copy to work in; an empty one without it. */
  cwd: z.string().optional(),
  domain: z.string().default('unknown'),
});
const serverFile = z.object({ mcpServers: z.record(serverName, entry) });

/**
 * Reads the stdio servers of an `mcpServers` file, as desktop clients have it. Every session gets its own process,
 * because nobody knows what such a process remembers. Throws if the file is not of that form.
 */
export function readServerFile(path: string): ServerSpec[] {
  const { mcpServers } = serverFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  return Object.entries(mcpServers).map(([name, { cwd, ...rest }]) => ({
    name,
    ...rest,
    ...(cwd === undefined ? {} : { files: resolve(dirname(path), cwd) }),
    shownAs: `/srv/${name}`,
    reset: { kind: 'kill', pureTools: [] },
  }));
}
