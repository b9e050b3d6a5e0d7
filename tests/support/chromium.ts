import { spawnSync } from 'node:child_process';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** Returns the name of the Chromium on PATH. Throws if there is none. */
export function findChromium(): string {
  const found = names
    .map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim())
    .find((path) => path !== '');
  if (found === undefined)
    throw new Error('the pages are tested in Chromium: install it, on Debian with `apt-get install chromium`');
  return found;
}
