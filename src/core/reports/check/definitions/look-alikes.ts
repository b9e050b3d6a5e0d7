import type { CheckFinding } from '../finding.ts';
import { nameSkeletons } from '#core/leaderboards/submissions/name-skeleton.ts';
import { listAllTexts } from './hidden-characters.ts';
import { findingOnTool, type ReadServer, type ReadTool, type ToolRule } from './read-tool.ts';

const shownWords = 5;
const leastLetters = 4;

/** Letters and digits that belong together, with what joins the parts of an identifier. */
const words = /[\p{L}\p{M}\p{N}_]+/gu;
const latin = /\p{Script=Latin}/u;
/** Letters of other alphabets that a reader takes for Latin ones. */
const alike =
  /[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0408\u0405\u03bf\u03b1\u03b9\u03bd\u03c1\u03c4\u03c5\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u0585\u057d\u0578\u0570\u0581\u13a0-\u13f4]|[\uff21-\uff3a\uff41-\uff5a]|[\u{1d400}-\u{1d7ff}]/u;
const fullWidth = /[\uff21-\uff3a\uff41-\uff5a]/u;

/** Finds words in which letters of another alphabet pass for Latin ones. */
export const findLookAlikes: ToolRule = (tool) => {
  const found = listAllTexts(tool).flatMap(({ where, text }) =>
    (text.match(words) ?? []).filter(isMixed).map((word) => ({ where, word })),
  );
  const [first] = found;
  if (first === undefined) return null;
  return findingOnTool('look-alike-name', tool, {
    sentence: `"${first.word}" in its ${first.where} mixes Latin letters with others that look like them: ${nameForeign(first.word)}`,
    evidence: found.slice(0, shownWords).map(({ where, word }) => `${where}: ${word} with ${nameForeign(word)}`),
    proposal: `write it in letters of one alphabet: ${withLatinLetters(first.word)}`,
  });
};

/** Shorter words are those of formulas, such as ρgh. */
const isMixed = (word: string): boolean =>
  word
    .split('_')
    .some((part) =>
      fullWidth.test(part)
        ? /[A-Za-z]/.test(part)
        : latin.test(part) && alike.test(part) && part.length >= leastLetters,
    ) ||
  // Parts of an identifier that are whole words of two alphabets are not mixed; one letter of another one is.
  (latin.test(word) && word.split('_').some((part) => /^\p{L}{1,2}$/u.test(part) && alike.test(part)));

const nameForeign = (word: string): string =>
  [...new Set([...word].filter((letter) => alike.test(letter)))]
    .slice(0, shownWords)
    .map((letter) => `${letter} (U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`)
    .join(', ');

const withLatinLetters = (word: string): string => nameSkeletons(word).at(-1) ?? word;

/** Returns a finding for each tool whose name differs from that of an earlier one only in characters that look alike. */
export function listLookAlikeNames({ tools }: ReadServer): CheckFinding[] {
  const known = new Map<string, ReadTool>();
  return tools.flatMap((tool) => {
    const key = foldName(tool.name);
    const other = known.get(key);
    known.set(key, other ?? tool);
    if (other === undefined || other.name === tool.name) return [];
    return findingOnTool('look-alike-name', tool, {
      others: [`${other.server}/${other.name}`],
      sentence: `its name looks like that of ${other.name}: they differ only in characters that are easily taken for each other`,
      evidence: [tool.name, other.name],
      proposal: 'choose a name that differs in a word, or remove one of the two tools',
    });
  });
}

const foldName = (name: string): string =>
  (nameSkeletons(name)[0] ?? name)
    .toLowerCase()
    .replaceAll('0', 'o')
    .replaceAll(/[1l|]/g, 'i')
    .replaceAll(/[-_. ]/g, '_');
