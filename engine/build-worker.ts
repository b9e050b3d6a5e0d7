import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Plugin } from 'rolldown';
import { z } from 'zod';
import { isFileBeside } from './files-beside.ts';
import { root } from './installation.ts';

/**
 * Builds a Worker into one file, which the runtime of this machine loads, with the files beside it that it imports as they are. `wrangler`
 * builds the one that is deployed.
 */

/** What a build read: the hash of each file's content by its path from the root. */
const inputs = z.record(z.string(), z.string());

/** Stands for the packages that were bundled, and for how they are. */
const alsoRead = ['package-lock.json', 'engine/build-worker.ts'];

/** Where `npm ci` leaves nothing of an earlier checkout. */
const cache = join(root, 'node_modules/.cache/sextant');

/**
 * Returns the file of the Worker with this entry, given from the root. Builds it only if a file that it was built from has other content,
 * or none.
 */
export async function buildWorkerIfChanged(entry = 'src/index.ts'): Promise<string> {
  const file = join(cache, entry.replaceAll(/\W+/g, '-'), 'index.js');
  const inputsFile = `${file}.inputs.json`;
  if (existsSync(file) && areInputsUnchanged(inputsFile)) return file;
  const read = await buildWorker(join(root, entry), file);
  replaceFile(inputsFile, (unfinished) => writeFileSync(unfinished, JSON.stringify(read)));
  return file;
}

function areInputsUnchanged(inputsFile: string): boolean {
  if (!existsSync(inputsFile)) return false;
  const read = inputs.parse(JSON.parse(readFileSync(inputsFile, 'utf8')));
  return Object.entries(read).every(([path, hash]) => existsSync(join(root, path)) && hashOf(path) === hash);
}

const hashOf = (path: string): string =>
  createHash('sha1')
    .update(readFileSync(join(root, path)))
    .digest('base64');

/** Leaves imports of files that lie beside the Worker in the code, and says which they are. */
const keepFilesBeside = (found: Set<string>): Plugin => ({
  name: 'files-beside',
  async resolveId(source, importer) {
    if (!isFileBeside(source)) return null;
    const resolved = await this.resolve(source, importer, { skipSelf: true });
    if (resolved === null) return null;
    found.add(resolved.id);
    return { id: `./${basename(resolved.id)}`, external: true };
  },
});

/** Builds an entry into a file, both given as whole paths, and returns what it read. */
export async function buildWorker(entry: string, file: string): Promise<z.infer<typeof inputs>> {
  // Only a build needs the bundler, which is not part of the package.
  const { rolldown } = await import('rolldown');
  const beside = new Set<string>();
  const bundle = await rolldown({
    input: entry,
    cwd: root,
    platform: 'neutral',
    external: [/^cloudflare:/, /^node:/],
    resolve: {
      conditionNames: ['workerd', 'worker', 'browser', 'import', 'default'],
      mainFields: ['browser', 'module', 'main'],
    },
    moduleTypes: { '.md': 'text' },
    plugins: [keepFilesBeside(beside)],
  });
  try {
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, minify: true, keepNames: true });
    const read = [...(await bundle.watchFiles), ...beside].map((path) => relative(root, path).split('?')[0] ?? '');
    const own = read.filter((path) => !path.includes('node_modules') && existsSync(join(root, path)));
    mkdirSync(dirname(file), { recursive: true });
    for (const path of beside)
      replaceFile(join(dirname(file), basename(path)), (unfinished) => copyFileSync(path, unfinished));
    replaceFile(file, (unfinished) => writeFileSync(unfinished, output[0].code));
    return Object.fromEntries([...own, ...alsoRead].map((path) => [path, hashOf(path)]));
  } finally {
    await bundle.close();
  }
}

/** Another start may read the file, or build it too. */
function replaceFile(file: string, write: (unfinished: string) => void): void {
  const unfinished = `${file}.${process.pid}`;
  write(unfinished);
  renameSync(unfinished, file);
}

if (process.argv[1] === import.meta.filename) await buildWorkerIfChanged();
