import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalog, errorCodes } from '../src/core/values/errors.ts';

/** Writes docs/errors.md from the error catalog; with `--check` it only reports whether they agree. */
const file = join(import.meta.dirname, '../docs/errors.md');

const sections = errorCodes.map((code) => {
  const { status, title, retryable, remedy } = errorCatalog[code];
  const again = retryable ? 'The same request can succeed later.' : 'The same request will fail again.';
  return `## ${code}\n\n${title} (HTTP ${status}). ${again}\n\n${remedy}\n`;
});

const opening = `# Errors

Every error is a problem document (\`application/problem+json\`, RFC 9457). Its \`code\` is one of those below. Its \`type\` is the address of the same
words on the running service: \`/docs/errors#<code>\`.

\`npm run error-pages\` writes this page from the catalog in \`src/core/values/errors.ts\`.
`;

const page = [opening, ...sections].join('\n');

if (!process.argv.includes('--check')) {
  writeFileSync(file, page);
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== page) {
  console.error('docs/errors.md differs from the catalog: run "npm run error-pages"');
  process.exitCode = 1;
}
