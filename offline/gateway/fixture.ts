import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildRepositories, gitConfig } from './git-fixture.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

/** The files with which every session at a server begins, kept in memory. */
export interface Fixture {
  readonly folders: readonly string[];
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Reads a server's fixture; for git it is built on the spot, below `scratch`. */
export async function loadFixture(name: string, scratch: string): Promise<Fixture> {
  const root = join(scratch, name);
  await mkdir(root, { recursive: true });
  if (name === 'git') await buildRepositories(root, promisify(execFile));
  else await cp(join(FIXTURES, name), root, { recursive: true }).catch(ignoreMissing);
  const fixture = await readTree(root);
  await rm(root, { recursive: true, force: true });
  return fixture;
}

/** Makes a child's two folders what they are at the beginning of a session, without replacing the folders themselves. */
export async function restore(
  fixture: Fixture,
  folders: { readonly work: string; readonly home: string },
): Promise<void> {
  await Promise.all([empty(folders.work), empty(folders.home)]);
  for (const folder of fixture.folders) await mkdir(join(folders.work, folder), { recursive: true });
  await Promise.all([...fixture.files].map(([path, content]) => writeFile(join(folders.work, path), content)));
  await writeFile(join(folders.home, '.gitconfig'), gitConfig(folders.work));
}

async function empty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const entries = await readdir(folder);
  await Promise.all(entries.map((entry) => rm(join(folder, entry), { recursive: true, force: true })));
}

async function readTree(root: string): Promise<Fixture> {
  const folders: string[] = [];
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    if (entry.isDirectory()) folders.push(path);
    else files.set(path, await readFile(join(root, path)));
  }
  folders.sort((a, b) => a.length - b.length || dirname(a).localeCompare(dirname(b)));
  return { folders, files };
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
