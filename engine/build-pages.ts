import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
/** What the pages are built from. */
const sources = ['web', 'client', 'src/core', 'package-lock.json'];

/** Builds the pages if something that they are built from is newer than they are, such as after a `git pull`, or if they were never built. */
export async function buildPagesIfOlder(): Promise<void> {
  const built = join(root, 'web/dist/app.html');
  const builtAt = existsSync(built) ? statSync(built).mtimeMs : 0;
  if (sources.every((source) => findNewestChangeMs(join(root, source)) <= builtAt)) return;
  await build({ configFile: join(root, 'web/vite.config.ts') });
}

function findNewestChangeMs(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs;
  const inside = readdirSync(path).filter((name) => name !== 'dist');
  return Math.max(0, ...inside.map((name) => findNewestChangeMs(join(path, name))));
}
