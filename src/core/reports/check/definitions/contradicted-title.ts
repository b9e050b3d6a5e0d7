import { findingOnTool, type ToolRule } from './read-tool.ts';
import {
  areWordsAkin,
  fullWords,
  isEmptyWord,
  isLikelyEnglish,
  isMostlyLatin,
  isSpeltBy,
  plainWords,
  quoted,
  verbClassOrNull,
} from './tool-words.ts';

/** Verbs that mean about the same in a title and a name, although they do not in two names. */
const looking = new Set(['read', 'list', 'search', 'inspect', 'export', 'check', 'count', 'compute']);
const making = new Set(['create', 'update', 'import', 'generate', 'send', 'run', 'start', 'convert']);
const ending = new Set(['delete', 'cancel', 'stop']);

/** Finds a title that says something else than the name. */
export const findContradictedTitle: ToolRule = (tool) => {
  const { title, name, named, description } = tool;
  if (title === '' || !isMostlyLatin(title)) return null;
  const said = plainWords(title);
  const verb = verbClassOrNull(said[0] ?? '');
  const opposed =
    verb !== null &&
    named.verb !== null &&
    named.words[0] !== undefined &&
    verbClassOrNull(named.words[0]) !== null &&
    areOpposed(verb, named.verb);
  if (
    !opposed &&
    (said.length < 2 ||
      sharesSubject(said, named.words, named.objects) ||
      isConfirmed(title, description) ||
      !isLikelyEnglish(`${title} the ${description}`))
  )
    return null;
  return findingOnTool('title-contradicted', tool, {
    sentence: `its title, ${quoted(title)}, says something else than its name, ${name}`,
    evidence: [title, name],
    proposal: `choose a title that says what the name says, such as "${titleOf(named.words)}"`,
  });
};

const areOpposed = (one: string, other: string): boolean => {
  const kind = (verb: string): string =>
    looking.has(verb) ? 'looking' : making.has(verb) ? 'making' : ending.has(verb) ? 'ending' : verb;
  return (
    kind(one) !== kind(other) && [one, other].every((verb) => looking.has(verb) || making.has(verb) || ending.has(verb))
  );
};

/** Whether a title has a word of the name, in any form, or is spelt by it. Verbs count if there is nothing else. */
function sharesSubject(said: readonly string[], words: readonly string[], objects: readonly string[]): boolean {
  const full = said.filter((word) => !isEmptyWord(word) && verbClassOrNull(word) === null);
  if (full.length === 0 || objects.length === 0) return true;
  const joined = said.join('');
  return (
    full.some((word) => words.some((each) => areWordsAkin(each, word))) ||
    words.some((word) => isSpeltBy(word, said) || (word.length > 2 && joined.includes(word))) ||
    full.some((word) => isSpeltBy(word, words)) ||
    fullWords(said.join(' ')).length === 0
  );
}

/** A title whose words the description has as well says what the tool does; then the name says it in other words. */
const isConfirmed = (title: string, description: string): boolean => {
  const said = fullWords(description);
  return fullWords(title).some((word) => verbClassOrNull(word) === null && said.includes(word));
};

const titleOf = (words: readonly string[]): string => {
  const text = words.join(' ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
};
