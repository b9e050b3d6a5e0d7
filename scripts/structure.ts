import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from '../engine/installation.ts';

/**
 * Reads who imports whom, types included, and counts what makes the product large: `node scripts/structure.ts`. A test holds what
 * may not come back.
 */

/** The rooms of `src/core`, lowest first: each imports only rooms before it. `ports` is the file `ports.ts`. */
export const roomsOfCore = [
  'values',
  'statistics',
  'catalog',
  'models',
  'similarity',
  'ports',
  'traces',
  'units',
  'access',
  'exploration',
  'scoring',
  'benchmarks',
  'evaluation',
  'leaderboards',
  'reports',
  'pictures',
] as const;

/** Folders whose own folders form no knot: none reaches itself through others. */
export const foldersWithoutKnots = [
  '.',
  'src/core',
  'src/adapters',
  'src/agents',
  'src/api',
  'durable-objects',
  'workflows',
  'client',
  'web',
  'offline',
  'engine',
  'scripts',
  'bench',
] as const;

const productFolders = ['src', 'durable-objects', 'workflows', 'client', 'web'];
const allFolders = [...productFolders, 'engine', 'offline', 'scripts', 'bench'];

/** By file, given from the root, the files of ours that it imports. */
export type Imports = ReadonlyMap<string, readonly string[]>;

const importPattern =
  /(?:^|[;\s])(?:import|export)\s+(?:type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;
const aliases = /^#(core|adapters|agents|api)\//;

function resolveImport(from: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier));
  if (!specifier.startsWith('#')) return null;
  return aliases.test(specifier) ? specifier.replace('#', 'src/') : specifier.slice(1);
}

const listSources = (folder: string): string[] =>
  globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }).filter((file) => !file.includes('/dist/'));

/** Reads the imports of all sources. */
export function readImports(): Imports {
  const files = allFolders.flatMap(listSources).toSorted();
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const found = Array.from(text.matchAll(importPattern), ([, plain, lazy]) =>
        resolveImport(file, plain ?? lazy ?? ''),
      );
      return [file, [...new Set(found)].flatMap((path) => (path !== null && known.has(path) ? [path] : []))] as const;
    }),
  );
}

/** Returns the groups in which each reaches each, of two or more (Tarjan 1972). */
export function findKnots(graph: Imports): string[][] {
  const places = new Map<string, number>();
  const stack: string[] = [];
  const knots: string[][] = [];
  const visit = (node: string): number => {
    const place = places.size;
    let low = place;
    places.set(node, place);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!places.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, places.get(next) ?? place);
    }
    if (low === place) {
      const knot = stack.splice(stack.indexOf(node));
      if (knot.length > 1) knots.push(knot.toSorted());
    }
    return low;
  };
  for (const node of graph.keys()) if (!places.has(node)) visit(node);
  return knots;
}

/** Returns what of a folder imports what: its folders, and the files that lie in it. Of the root, `src` counts by its folders. */
export function importsInside(imports: Imports, folder: string): Imports {
  const prefix = folder === '.' ? '' : `${folder}/`;
  const partOf = (file: string): string => {
    const parts = file.slice(prefix.length).split('/');
    return prefix + parts.slice(0, prefix === '' && parts[0] === 'src' ? 2 : 1).join('/');
  };
  const inside = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    if (!file.startsWith(prefix)) continue;
    const own = inside.get(partOf(file)) ?? new Set();
    inside.set(partOf(file), own);
    for (const target of targets)
      if (target.startsWith(prefix) && partOf(target) !== partOf(file)) own.add(partOf(target));
  }
  return new Map(Array.from(inside, ([part, targets]) => [part, [...targets]]));
}

/** Returns the imports in `src/core` that lead upwards, as "file -> file". */
export function findUpwardImports(imports: Imports): string[] {
  const floorOf = (file: string): number => {
    const part = file.slice('src/core/'.length).split('/')[0]?.replace(/\.ts$/, '');
    return roomsOfCore.findIndex((room) => room === part);
  };
  return Array.from(imports).flatMap(([file, targets]) =>
    !file.startsWith('src/core/')
      ? []
      : targets.flatMap((target) =>
          floorOf(file) < 0 || floorOf(target) > floorOf(file) ? [`${file} -> ${target}`] : [],
        ),
  );
}

/** Returns the classes that extend a class of ours that is no error, as "file: class extends class". */
export function findInheritance(files: Iterable<string>): string[] {
  const declared = new Set<string>();
  const found: { file: string; name: string; parent: string }[] = [];
  for (const file of files)
    for (const [, name = '', parent] of readFileSync(join(root, file), 'utf8').matchAll(
      /\bclass (\w+)(?:<[^>]*>)?(?: extends (\w+))?/g,
    )) {
      declared.add(name);
      if (parent !== undefined) found.push({ file, name, parent });
    }
  return found.flatMap(({ file, name, parent }) =>
    declared.has(parent) && !/Error|Refusal|Problem|Fault/.test(parent) ? [`${file}: ${name} extends ${parent}`] : [],
  );
}

const countLines = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0);

if (process.argv[1] === import.meta.filename) {
  const imports = readImports();
  const product = productFolders.flatMap(listSources);
  console.log(
    JSON.stringify(
      {
        folderKnots: foldersWithoutKnots.flatMap((folder) => findKnots(importsInside(imports, folder))).length,
        fileCircles: findKnots(imports).length,
        inheritance: findInheritance(product).length,
        productFiles: product.length,
        productLines: countLines(product),
        readmeLines: countLines(['README.md']),
      },
      null,
      2,
    ),
  );
}
