import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { root } from '../../engine/installation.ts';
import { faultKinds, type FixtureServer } from '../fixtures/servers/fixture.ts';

/** Where the servers with planted faults are, one a file, beside what they are made of. */
export const serversFolder = join(root, 'tests/fixtures/servers');
const others = new Set(['by-hand', 'fixture', 'run', 'schema-tool', 'zod-tool']);
/** Holds servers by somebody who has not seen the check nor its rules. */
const unseenFolder = 'unseen';

const fixtureModule = z.object({
  server: z.object({
    name: z.string(),
    tools: z.array(
      z.object({ definition: z.looseObject({ name: z.string() }), changes: z.literal(true).exactOptional() }),
    ),
    list: z.custom<FixtureServer['list']>((given) => given === undefined || typeof given === 'function').optional(),
    faults: z.array(
      z.strictObject({ kind: z.enum(faultKinds), tool: z.string().nullable(), twin: z.string().exactOptional() }),
    ),
    unnamed: z.array(z.strictObject({ tool: z.string().nullable(), what: z.string() })).default([]),
  }),
});
type ReadFixtureServer = Readonly<z.infer<typeof fixtureModule>['server']>;

const listNames = (folder: string): string[] =>
  readdirSync(folder)
    .flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -'.ts'.length)] : []))
    .toSorted();

/** Returns the names of all servers with planted faults that the project's authors wrote. Reads none of them. */
export const listFixtureServers = (): string[] => listNames(serversFolder).filter((name) => !others.has(name));

/** Returns the same of servers whose author has not seen the check: `unseen/NAME`. */
export const listUnseenServers = (): string[] =>
  listNames(join(serversFolder, unseenFolder)).map((name) => `${unseenFolder}/${name}`);

/** Reads what a server lists and what is wrong with it, by its path without the ending. Rejects if its file is of another form. */
export async function readFixtureServer(path: string): Promise<ReadFixtureServer> {
  const loaded: unknown = await import(pathToFileURL(join(serversFolder, `${path}.ts`)).href);
  return fixtureModule.parse(loaded).server;
}
