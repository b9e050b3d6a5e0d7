import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { root } from '../../engine/installation.ts';
import { faultKinds, type FixtureServer } from '../fixtures/servers/fixture.ts';

/** Where the servers with planted faults are, one a file, beside what they are made of. */
export const serversFolder = join(root, 'tests/fixtures/servers');
const others = new Set(['fixture', 'run', 'schema-tool', 'zod-tool']);

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
  }),
});
type ReadFixtureServer = Readonly<z.infer<typeof fixtureModule>['server']>;

/** Returns the names of all servers with planted faults. Reads none of them. */
export const listFixtureServers = (): string[] =>
  readdirSync(serversFolder)
    .flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -'.ts'.length)] : []))
    .filter((name) => !others.has(name))
    .toSorted();

/** Reads what a server lists and what is wrong with it. Rejects if its file is of another form. */
export async function readFixtureServer(name: string): Promise<ReadFixtureServer> {
  const loaded: unknown = await import(pathToFileURL(join(serversFolder, `${name}.ts`)).href);
  return fixtureModule.parse(loaded).server;
}
