import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createApp } from '#api/app.ts';
import { fakeServices } from '../tests/support/fake-services.ts';

/**
 * `npm run openapi -- [FILE]` writes the API's document, as a running service has it at `/openapi.json`, to a file that
 * git ignores: `openapi.json`, or the one that is named.
 */

const file = resolve(process.argv[2] ?? 'openapi.json');

/** Sorts the keys of every object, so that the order of imports does not matter. */
function sortObjectKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortObjectKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sortObjectKeys(each)]));
}

const answer = await createApp(fakeServices()).request('/openapi.json');
if (answer.status !== 200) throw new Error(`the document could not be made: ${await answer.text()}`);
writeFileSync(file, `${JSON.stringify(sortObjectKeys(await answer.json()), null, 2)}\n`);
console.log(`wrote ${file}`);
