import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** What files are to the runtime that a Worker imports as they are, by how their names end. `wrangler.toml` says the same of a deployment. */
const types: ReadonlyMap<string, 'wasm' | 'data'> = new Map([
  ['.wasm', 'wasm'],
  ['.ttf', 'data'],
]);

/** Returns whether a Worker imports a file of this name as it is, so that it has to lie beside the Worker's own. */
export const isFileBeside = (name: string): boolean => types.has(extname(name));

/** Reads the files of a Worker's folder that it imports as they are, as modules by name. */
export const readFilesBeside = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder).flatMap((name) => {
      const type = types.get(extname(name));
      return type === undefined ? [] : [[name, { type, contents: new Uint8Array(readFileSync(join(folder, name))) }]];
    }),
  );
