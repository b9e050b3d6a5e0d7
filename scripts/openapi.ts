import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from '#api/app.ts';
import { fakeServices } from '../tests/support/fake-services.ts';

/**
 * `npm run openapi` writes docs/openapi.json from the routes; with `--check` it only reports whether that is up to
 * date.
 */

const file = join(import.meta.dirname, '../docs/openapi.json');

/** Sorts the keys of every object, so that the order of imports does not matter. */
function sortObjectKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortObjectKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sortObjectKeys(each)]));
}

const answer = await createApp(fakeServices()).request('/openapi.json');
if (answer.status !== 200) throw new Error(`the document could not be made: ${await answer.text()}`);
const text = `${JSON.stringify(sortObjectKeys(await answer.json()), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
  console.log(`wrote ${file}`);
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.error('docs/openapi.json is not what the routes say. Run: npm run openapi');
  process.exitCode = 1;
}
