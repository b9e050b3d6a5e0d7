import { describe, expect, test } from 'vitest';
import { parseRetiredPhrases, listGlossaryViolations } from '../../scripts/glossary.ts';

const glossary = [
  '## Words',
  '| `unit` | two requests |',
  '',
  '## Retired words',
  '| retired | write instead |',
  '| --- | --- |',
  '| `whilom`, `made good` | new, repaired |',
  '',
].join('\n');
const retired = parseRetiredPhrases(glossary);

describe('the glossary check', () => {
  test('reads the retired words from the second table only', () => {
    expect(retired).toEqual([
      { phrase: 'whilom', instead: 'new, repaired' },
      { phrase: 'made good', instead: 'new, repaired' },
    ]);
  });

  test.each([
    ['a line comment', 'src/a.ts', 'const a = 1;\n// The whilom run.\n'],
    ['a comment behind code', 'src/a.ts', 'const b = 2;\nconst a = 1; // the whilom run\n'],
    ['a docstring of several lines', 'src/a.ts', '/**\n * A loss that is Made Good.\n */\n'],
    ['a test title', 'tests/a.test.ts', "describe('a run', () => {\n  test('is whilom', () => {});\n});\n"],
    ['a title of test.each', 'tests/a.test.ts', "test.each([\n  1,\n])('case %d is whilom', (n) => {});\n"],
    ['a page', 'docs/a.md', '# Runs\nA whilom run.\n'],
  ])('finds a retired word in %s', (_where, file, text) => {
    const line = file.endsWith('a.test.ts') && text.startsWith('test.each') ? 3 : 2;
    expect(listGlossaryViolations(file, text, retired)).toEqual([
      expect.stringMatching(new RegExp(`^${file}:${line}: ".+" is retired: new, repaired$`)),
    ]);
  });

  test.each([
    ['an identifier', 'src/a.ts', 'const whilom = 1;\n'],
    ['a string', 'src/a.ts', "const a = 'whilom';\n"],
    ['a code span of a comment', 'src/a.ts', '/** Uses `whilom`. */\n'],
    ['a code block of a page', 'docs/a.md', '```\nwhilom\n```\n'],
    ['a longer word', 'docs/a.md', 'whiloms\n'],
  ])('passes over %s', (_where, file, text) => {
    expect(listGlossaryViolations(file, text, retired)).toEqual([]);
  });

  test.each(['/** Of a run. */\n', '/**\n * Of a run.\n */\n', '// Of a run.\n'])(
    'refuses a comment that opens with "Of": %j',
    (text) => {
      expect(listGlossaryViolations('src/a.ts', text, retired)).toHaveLength(1);
    },
  );

  test('lets a later line of a comment begin with "Of"', () => {
    expect(listGlossaryViolations('src/a.ts', '// The first\n// Of two.\n', retired)).toEqual([]);
  });
});
