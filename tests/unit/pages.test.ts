import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (page: string): string => readFileSync(join(root, page), 'utf8');
const pages = globSync(['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'docs/**/*.md', '*/README.md'], { cwd: root });

/** Paths in code spans and diagrams that begin with a folder of the repository and name a file, or end with a slash. */
const named =
  /(?<![\w./-])(?:src|durable-objects|workflows|client|offline|bench|scripts|tests|prompts|docs)\/[\w./-]*?(?:\.(?:ts|md|json|jsonl|mjs|svg)|\/)(?![\w/])/gu;

/** Returns the anchor that GitHub gives a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\d _-]/gu, '')
    .replaceAll(' ', '-');

const anchors = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) => anchor(heading));

describe.each(pages)('%s', (page) => {
  test('names only files and folders that exist', () => {
    const missing = [...read(page).matchAll(named)]
      .map(([path]) => path)
      .filter((path) => !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  });

  test('links only to pages and headings that exist', () => {
    const broken = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/gu)].filter(
      ([, path = '', heading]) => {
        const target = path === '' ? page : join(dirname(page), path);
        return !existsSync(join(root, target)) || (heading !== undefined && !anchors(target).includes(heading));
      },
    );
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});
