import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parsePrompt } from '#adapters/prompts/template.ts';

/**
 * `npm run prompts` writes what follows from the files in prompts/: the hashes of new ones in prompts/manifest.json, and
 * src/adapters/prompts/shipped.ts, which imports the newest version of each. With `--check` it only reports whether both are up to date.
 */

const root = join(import.meta.dirname, '..');
const folder = join(root, 'prompts');
const manifestFile = join(folder, 'manifest.json');
const shippedFile = join(root, 'src/adapters/prompts/shipped.ts');

interface PromptFile {
  readonly name: string;
  readonly version: number;
  readonly id: string;
  readonly text: string;
}

const files: readonly PromptFile[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted()
  .flatMap((name) =>
    readdirSync(join(folder, name)).map((file) => {
      const version = Number(/^v(\d+)\.md$/.exec(file)?.[1]);
      if (!(version > 0)) throw new Error(`prompts/${name}/${file}: a prompt's file is called v1.md, v2.md, ...`);
      return { name, version, id: `${name}@v${version}`, text: readFileSync(join(folder, name, file), 'utf8') };
    }),
  );

const manifest = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(manifestFile, 'utf8')));
const hashes = new Map(files.map(({ id, text }) => [id, createHash('sha256').update(text).digest('hex')]));
const broken = Object.keys(manifest).filter((id) => hashes.get(id) !== manifest[id]);
if (broken.length > 0) {
  console.error(
    `${broken.join(', ')}: not what prompts/manifest.json says. A released version never changes: write the next one. If it is not released yet, delete its line in the manifest first.`,
  );
  process.exit(1);
}

const camelCase = (name: string): string => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the line that parses a prompt, broken as `npm run format` breaks it. */
function promptParsingCodeText({ name, id, text }: PromptFile): string {
  const parsed = parsePrompt(id, text);
  if (!parsed.ok) throw new Error(`prompts/${id.replace('@', '/')}.md: ${parsed.problem}`);
  const variables = parsed.value.variables.map((variable) => `'${variable.name}'`);
  const [head, end] = [`  ${camelCase(name)}: parseShippedPromptOrThrow('${id}', ${camelCase(name)}, [`, ']),'];
  const line = `${head}${variables.join(', ')}${end}`;
  return line.length <= 120 ? line : [head, ...variables.map((each) => `    ${each},`), `  ${end}`].join('\n');
}

const newest = [...new Map(files.toSorted((a, b) => a.version - b.version).map((file) => [file.name, file])).values()];
const inUse = newest.toSorted((a, b) => (a.name < b.name ? -1 : 1));
const shipped = [
  '// Written by `npm run prompts`: the newest version of each prompt.',
  ...inUse.map(
    ({ name, version }) => `import ${camelCase(name)} from '#prompts/${name}/v${version}.md' with { type: 'text' };`,
  ),
  "import { parseShippedPromptOrThrow } from './parse-shipped.ts';",
  '',
  '/** The prompts in use, by purpose. */',
  'export const prompts = {',
  ...inUse.map(promptParsingCodeText),
  '};',
  '',
].join('\n');
const ids = [...hashes.keys()].toSorted();
const hashText = `${JSON.stringify(Object.fromEntries(ids.map((id) => [id, hashes.get(id)])), null, 2)}\n`;

const written = new Map([
  [manifestFile, hashText],
  [shippedFile, shipped],
]);
if (process.argv.includes('--check')) {
  const wrong = [...written].filter(([file, text]) => readFileSync(file, 'utf8') !== text).map(([file]) => file);
  if (wrong.length > 0) {
    console.error(`${wrong.join(', ')}: not what the files in prompts/ say. Run: npm run prompts`);
    process.exitCode = 1;
  }
} else for (const [file, text] of written) writeFileSync(file, text);
