import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalog, errorCodes } from '../src/core/values/errors.ts';

/** Writes docs/errors from the error catalog; with `--check` it only reports whether they agree. */
const folder = join(import.meta.dirname, '../docs/errors');

const pages = new Map<string, string>([
  [
    'README.md',
    [
      '# Errors',
      '',
      'Errors are `application/problem+json` documents (RFC 9457) with one of these codes. These pages are generated from the catalog in',
      '`src/core/values/errors.ts` by `npm run error-pages`.',
      '',
      '| code | status | meaning |',
      '| --- | --- | --- |',
      ...errorCodes.map(
        (code) => `| [${code}](${code}.md) | ${errorCatalog[code].status} | ${errorCatalog[code].title} |`,
      ),
      '',
    ].join('\n'),
  ],
  ...errorCodes.map((code): [string, string] => {
    const { status, title, retryable, remedy } = errorCatalog[code];
    const again = retryable ? 'The same request can succeed later.' : 'The same request will fail again.';
    return [`${code}.md`, `# ${code}\n\n${title} (HTTP ${status}).\n\n${remedy}\n\n${again}\n`];
  }),
]);

if (process.argv.includes('--check')) {
  const present = existsSync(folder) ? readdirSync(folder) : [];
  const wrong = [...pages].filter(
    ([name, text]) => !present.includes(name) || readFileSync(join(folder, name), 'utf8') !== text,
  );
  const extra = present.filter((name) => !pages.has(name));
  const names = [...wrong.map(([name]) => name), ...extra];
  if (names.length > 0) {
    console.error(`docs/errors differs from the catalog (${names.join(', ')}): run "npm run error-pages"`);
    process.exit(1);
  }
} else {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
}
