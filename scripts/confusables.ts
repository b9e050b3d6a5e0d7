/**
 * Writes src/core/leaderboards/submissions/confusables.json from Unicode's confusables.txt (UTS #39):
 *
 *     node scripts/confusables.ts confusables.txt
 *
 * The result maps the code points of a prototype to the single code points that look like it, all in hexadecimal.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const target = fileURLToPath(import.meta.resolve('../src/core/leaderboards/submissions/confusables.json'));
const license = '© Unicode, Inc., under the Unicode License V3 (https://www.unicode.org/license.txt)';
const mapping = /^([0-9A-F]+) ;\t((?:[0-9A-F]+ ?)+) ?;/u;

const [source] = process.argv.slice(2);
if (source === undefined) {
  console.error('usage: node scripts/confusables.ts <confusables.txt>');
  process.exit(2);
}
const text = readFileSync(source, 'utf8');
const version = /^# Version: (\S+)$/mu.exec(text)?.[1];
const found = new Map<string, string[]>();
for (const line of text.split('\n')) {
  const [, from, to] = mapping.exec(line) ?? [];
  if (from === undefined || to === undefined) continue;
  const prototype = hexWithoutLeadingZeros(to.trim());
  found.set(prototype, [...(found.get(prototype) ?? []), hexWithoutLeadingZeros(from)]);
}
if (version === undefined || found.size === 0) {
  console.error(`${source} is not a confusables.txt`);
  process.exit(1);
}
const prototypes = Object.fromEntries([...found].map(([prototype, alike]) => [prototype, alike.join(' ')]));
writeFileSync(target, `${JSON.stringify({ unicode: version, license, prototypes }, null, 2)}\n`);

/** Returns code points without leading zeros, in lower case. */
function hexWithoutLeadingZeros(codePoints: string): string {
  return codePoints
    .split(' ')
    .map((each) => Number.parseInt(each, 16).toString(16))
    .join(' ');
}
