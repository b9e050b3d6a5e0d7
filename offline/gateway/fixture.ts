import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildRepositoriesOrWarn, gitConfig } from './git-fixture.ts';
import type { ServerSpec } from './servers.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

/** The initial files of every session at a server, kept in memory. */
export interface Fixture {
  readonly folders: readonly string[];
  readonly files: ReadonlyMap<string, Buffer>;
}

export const emptyFixture: Fixture = { folders: [], files: new Map() };

/**
 * Reads a server's fixture. A user's server has the content of its own folder, or nothing; a bundled one has what comes
 * with Sextant, which for git is built on the spot, below `scratch`.
 */
export async function loadOrBuildFixture(spec: ServerSpec, scratch: string): Promise<Fixture> {
  if ('command' in spec) return spec.files === undefined ? emptyFixture : readFixtureFromFolder(spec.files);
  const { name } = spec;
  const root = join(scratch, name);
  await mkdir(root, { recursive: true });
  if (name === 'git') await buildRepositoriesOrWarn(root, promisify(execFile));
  else await cp(join(FIXTURES, name), root, { recursive: true }).catch(rethrowUnlessMissing);
  const fixture = await readFixtureFromFolder(root);
  await rm(root, { recursive: true, force: true });
  return fixture;
}

/** Restores a child's two folders to the initial state, without replacing the folders themselves. */
export function restoreWorkAndHome(fixture: Fixture, folders: { readonly work: string; readonly home: string }): void {
  restoreFolderTree(folders.work, fixture);
  restoreFolderTree(folders.home, {
    folders: [],
    files: new Map([['.gitconfig', Buffer.from(gitConfig(folders.work))]]),
  });
}

/** Writes only what differs, because reading a small file is far cheaper than writing it. */
function restoreFolderTree(root: string, { folders, files }: Fixture): void {
  const wanted = new Set(folders);
  const intact = new Set<string>();
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const content = files.get(path);
      if (entry.isDirectory() && wanted.has(path)) visit(path);
      else if (entry.isFile() && content !== undefined && fileHasContent(join(root, path), content)) intact.add(path);
      else rmSync(join(root, path), { recursive: true, force: true });
    }
  };
  mkdirSync(root, { recursive: true });
  visit('');
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  for (const [path, content] of files) if (!intact.has(path)) writeFileSync(join(root, path), content);
}

function fileHasContent(file: string, content: Buffer): boolean {
  try {
    return readFileSync(file).equals(content);
  } catch {
    return false;
  }
}

async function readFixtureFromFolder(root: string): Promise<Fixture> {
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

function rethrowUnlessMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
