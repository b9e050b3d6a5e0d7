import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { readServersJson } from '../../engine/read-servers-json.ts';
import type { ServerSpec } from './servers.ts';

const serverName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'a name has lower-case letters, digits and hyphens, at most 40, no hyphen first');

const entry = z.object({
  command: z.string('give the command that starts it; a server with a URL is registered without a file').min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  /** A folder of which every session gets a copy to work in; an empty one without it. */
  cwd: z.string().optional(),
  domain: z.string().default('unknown'),
});
const serverFile = z.object({
  mcpServers: z
    .record(serverName, entry)
    .refine((servers) => Object.keys(servers).length > 0, 'there is no server in the file'),
});

/**
 * Reads the stdio servers of an `mcpServers` file, as desktop clients have it. Every session gets its own process,
 * because nobody knows what such a process remembers. Throws an Error with a message for a person, in one line, if
 * there is no such file or it is not of that form.
 */
export function readServerSpecsFromFile(path: string): ServerSpec[] {
  const json = readServersJson(path);
  if (!json.ok) throw new Error(`the file ${json.problem}`, { cause: json.cause });
  const parsed = serverFile.safeParse(json.value);
  if (!parsed.success) throw new Error(parsed.error.issues.map(issueText).join('; '));
  return Object.entries(parsed.data.mcpServers).map(([name, { cwd, ...rest }]) => ({
    name,
    ...rest,
    ...(cwd === undefined ? {} : { files: existingFolderOrThrow(name, resolve(dirname(path), cwd)) }),
    shownAs: `/srv/${name}`,
    reset: { kind: 'kill', pureTools: [] },
  }));
}

function existingFolderOrThrow(server: string, folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Error(`mcpServers.${server}.cwd: there is no folder ${folder}`);
  return folder;
}

function issueText(issue: z.core.$ZodIssue): string {
  // What is wrong with a key is one level below.
  const texts = issue.code === 'invalid_key' ? issue.issues.map(({ message }) => message) : [issue.message];
  return `${issue.path.map(String).join('.') || 'the file'}: ${texts.join('; ')}`;
}
