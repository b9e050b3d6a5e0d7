import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Fails when prose uses a word that docs/glossary.md retires, or when a comment opens with "Of". Prose is Markdown, comments
 * and test titles; identifiers, strings of the API and prompts are not checked.
 */

interface Retired {
  readonly phrase: string;
  readonly instead: string;
}

interface Passage {
  readonly line: number;
  readonly text: string;
  /** Whether the text is where a comment begins. */
  readonly opens: boolean;
}

const cell = /^\| (.+?) \| (.+?) \|$/u;

/** Reads the second table of the glossary: a row retires the quoted phrases of its first cell. */
export const parseRetiredPhrases = (glossary: string): Retired[] =>
  (glossary.split('## Retired words')[1] ?? '').split('\n').flatMap((line) => {
    const [, phrases = '', instead = ''] = cell.exec(line) ?? [];
    return [...phrases.matchAll(/`([^`]+)`/gu)].map(([, phrase = '']) => ({ phrase, instead }));
  });

/** Blanks out code blocks, code spans and link targets, and keeps the line numbers. */
const blankOutCode = (text: string): string =>
  text
    .replaceAll(/^```.*?^```/gmsu, (block) => block.replaceAll(/[^\n]/gu, ' '))
    .replaceAll(/`[^`\n]*`|\]\([^)\n]*\)/gu, ' ');

const markdownPassages = (text: string): Passage[] =>
  blankOutCode(text)
    .split('\n')
    .map((line, index) => ({ line: index + 1, text: line, opens: false }));

const ownLine = /^\s*(\/\*\*?|\/\/|\*(?!\/))\s*(.*)$/u;
const trailing = /[;,{}()[\]]\s+\/[/*]+\s+(.*)$/u;

const commentPassages = (text: string): Passage[] => {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const [, mark, own] = ownLine.exec(line) ?? [];
    const said = own ?? trailing.exec(line)?.[1];
    if (said === undefined || said === '') return [];
    const before = lines[index - 1]?.trim() ?? '';
    const opens = mark === '//' ? !before.startsWith('//') : mark !== '*' || before === '/**';
    return [{ line: index + 1, text: said.replaceAll(/`[^`]*`/gu, ' '), opens }];
  });
};

const title = /(?:\b(?:describe|test|it)(?:\.\w+)?\(|\)\()\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1,/gsu;

const listTestTitlePassages = (text: string): Passage[] =>
  [...text.matchAll(title)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    text: match[2] ?? '',
    opens: false,
  }));

const prosePassages = (file: string, text: string): Passage[] => {
  if (file.endsWith('.md')) return markdownPassages(text);
  return file.endsWith('.test.ts') ? [...commentPassages(text), ...listTestTitlePassages(text)] : commentPassages(text);
};

const escapeForRegExp = (phrase: string): string => phrase.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);

/** Returns a line for each violation in a file: where it is, what it says and what to write instead. */
export const listGlossaryViolations = (file: string, text: string, retired: readonly Retired[]): string[] => {
  const patterns = retired.map(({ phrase, instead }) => ({
    phrase,
    instead,
    pattern: new RegExp(`(?<![\\p{L}\\d_-])${escapeForRegExp(phrase)}(?![\\p{L}\\d_])`, 'iu'),
  }));
  return prosePassages(file, text).flatMap((passage) => [
    ...patterns
      .filter(({ pattern }) => pattern.test(passage.text))
      .map(({ phrase, instead }) => `${file}:${passage.line}: "${phrase}" is retired: ${instead}`),
    ...(passage.opens && passage.text.startsWith('Of ')
      ? [`${file}:${passage.line}: a comment opens with "Of": begin with a verb or a noun`]
      : []),
  ]);
};

const checked =
  '{*.md,docs/**/*.md,{src,durable-objects,workflows,client,offline,bench,scripts,tests}/**/*.{ts,mjs,md}}';
const glossaryFile = 'docs/glossary.md';

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const retired = parseRetiredPhrases(readFileSync(join(root, glossaryFile), 'utf8'));
  const found = globSync(checked, { cwd: root, exclude: ['**/fixtures/**'] })
    .filter((file) => file !== glossaryFile)
    .toSorted()
    .flatMap((file) => listGlossaryViolations(file, readFileSync(join(root, file), 'utf8'), retired));
  if (found.length > 0) {
    console.error(found.join('\n'));
    console.error(`${found.length} violations: ${glossaryFile} has the words of this project`);
    process.exit(1);
  }
}
