import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { root } from './installation.ts';

/**
 * Builds a Worker into one file, which the runtime of this machine loads. `wrangler` builds the one that is deployed.
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
  replaceFile(inputsFile, JSON.stringify(read));
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

/** Builds an entry into a file, both given as whole paths, and returns what it read. */
export async function buildWorker(entry: string, file: string): Promise<z.infer<typeof inputs>> {
  // Only a build needs the bundler, which is not part of the package.
  const { rolldown } = await import('rolldown');
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
  });
  try {
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, minify: true, keepNames: true });
    const read = (await bundle.watchFiles).map((path) => relative(root, path).split('?')[0] ?? '');
    const own = read.filter((path) => !path.includes('node_modules') && existsSync(join(root, path)));
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, output[0].code);
    return Object.fromEntries([...own, ...alsoRead].map((path) => [path, hashOf(path)]));
  } finally {
    await bundle.close();
  }
}

/** Another start may read the file, or build it too. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}

if (process.argv[1] === import.meta.filename) await buildWorkerIfChanged();
