import {
  fullWords,
  plainWords,
  isEmptyWord,
  isLikelyEnglish,
  isMostlyLatin,
  quoted,
  readName,
  verbClassOrNull,
  areWordsAkin,
  isSpeltBy,
} from './tool-words.ts';
import { findingOnTool, listSchemaWords, type ReadTool, type ToolRule } from './read-tool.ts';

/** Longer descriptions say something, whatever they say. */
const mostTautologicalWords = 14;
const mostVagueWords = 14;
const mostVagueForeignWords = 1;
/** Content words that a description has to have before it can be one of another thing. */
const leastForeignWords = 4;
/** From this likeness on an embedding finds that a description fits its name. */
const leastLikeness = 0.3;

/** Words that give nothing away about what a tool is for. */
const vagueWords =
  /^(?:helper|helpers|various|misc|miscellaneous|stuff|things?|utility|utilities|general|generic|handles?|handling|process(?:es|ing)?|manages?|managing|operations?|tasks?|useful|does|do|performs?|works?|working|functionality|features?|tools?|multi|multipurpose|everything|anything|something|whatever|data|information|requests?|purposes?|actions?)$/;

/** Finds a description that says nothing beyond the name of its tool. */
export const findTautology: ToolRule = (tool) => {
  const { description } = tool;
  if (description.trim() === '' || !isMostlyLatin(description)) return null;
  const words = plainWords(description);
  if (words.length > mostTautologicalWords || restOf(tool, words).length > 0) return null;
  const nameHas = readName(tool.name).words;
  if (!words.some((word) => nameHas.some((each) => areWordsAkin(each, word)))) return null;
  return findingOnTool('description-tautological', tool, {
    sentence: `its description, ${quoted(description)}, says nothing beyond its name`,
    evidence: [description],
    proposal: `say what it returns, when to use it, and what it needs${argumentsInWords(tool)}`,
  });
};

/** Returns the words of a description that its name does not have, in no form; verbs of the same meaning count as the name's. */
function restOf({ name }: ReadTool, words: readonly string[]): string[] {
  const { words: all, verb } = readName(name);
  const named = all.filter((word) => !isEmptyWord(word));
  return words.filter((word, index) => {
    if (word.length < 2 || isEmptyWord(word)) return false;
    // A word that the description has as well stands for itself and is no abbreviation: `css` of `classes`.
    if (named.some((each) => each === word || (areForms(each, word) && (each.length > 4 || !words.includes(each)))))
      return false;
    const own = verbClassOrNull(word);
    return !(own !== null && (own === verb || own === 'read' || (verb === null && index === 0)));
  });
}

/** Synonyms say more than the name: only forms and abbreviations of its words do not. */
const areForms = (one: string, other: string): boolean =>
  areWordsAkin(one, other) && one.slice(0, 1) === other.slice(0, 1);

const argumentsInWords = ({ arguments: all }: ReadTool): string => {
  const names = all.flatMap(({ isTop, name }) => (isTop ? [`\`${name}\``] : [])).slice(0, 3);
  return names.length === 0 ? '' : `, such as what ${names.join(', ')} may be`;
};

/** Finds a description that does not say what its tool does, or to what. */
export const findVagueness: ToolRule = (tool) => {
  const { description } = tool;
  if (
    description.trim() === '' ||
    !isVague(tool) ||
    findTautology(tool, { name: '', instructions: '', tools: [] }) !== null
  )
    return null;
  return findingOnTool('description-vague', tool, {
    sentence: `its description, ${quoted(description)}, does not say what it does, or to what`,
    evidence: [description],
    proposal: `name the action, what it acts on and what it returns${argumentsInWords(tool)}`,
  });
};

function isVague(tool: ReadTool): boolean {
  const { description } = tool;
  if (!isMostlyLatin(description)) return (description.match(/\p{L}/gu) ?? []).length < 4;
  const words = plainWords(description);
  if (words.length > mostVagueWords) return false;
  const full = fullWords(description).filter((word) => !vagueWords.test(word) && verbClassOrNull(word) === null);
  if (isLikelyEnglish(description) || words.some((word) => vagueWords.test(word))) {
    if (full.length === 0) return true;
    const named = readName(tool.name).words;
    const added = full.filter((word) => !named.some((each) => areForms(each, word)));
    const isNothingSaid = words.filter((word) => vagueWords.test(word)).length >= 2;
    return (
      isNothingSaid &&
      added.length <= 1 &&
      /\b(?:various|misc|miscellaneous|stuff|things|helper|utility|utilities|general|generic|multi-?purpose|everything|anything|something|whatever|useful)\b/i.test(
        description,
      )
    );
  }
  return words.length <= mostVagueForeignWords && description.trim().length < 16;
}

/** Returns a rule that finds a description without a subject in common with its tool; `embed` gives the likeness of two texts, 0..1. */
export const findAnotherThing =
  (embed?: (one: string, other: string) => number | null): ToolRule =>
  (tool) => {
    const { description, title } = tool;
    if (!isLikelyEnglish(description)) return null;
    const said = [...new Set(fullWords(description).filter((word) => word.length > 2))];
    if (said.length < leastForeignWords) return null;
    const { words, objects, verb } = readName(tool.name);
    const subject = objects.length > 0 ? objects : words;
    const known = [
      ...subject.filter((word) => word.length > 1),
      ...tool.arguments.flatMap(({ name }) => fullWords(name)),
      ...(isTitleOfName(title, tool.name) ? [] : fullWords(title)),
      ...Array.from(listSchemaWords(tool.definition.inputSchema)).slice(0, 100).flatMap(fullWords),
    ];
    if (subject.every(isEmptyWord)) return null;
    const all = plainWords(description);
    const isShared = (word: string): boolean =>
      said.some((each) => areWordsAkin(word, each)) || isSpeltBy(word, all) || description.toLowerCase().includes(word);
    if (known.some(isShared)) return null;
    // A name of one verb, such as `think`, has its subject in that verb.
    if (objects.length === 0 && all.slice(0, 6).some((word) => verbClassOrNull(word) === verb && verb !== null))
      return null;
    if (describedInArguments(tool, said) > 1) return null;
    const likeness = embed?.(known.join(' '), description) ?? null;
    if (likeness !== null && likeness >= leastLikeness) return null;
    return findingOnTool('description-of-another-thing', tool, {
      sentence: `its description, ${quoted(description)}, shares no subject with its name or its arguments`,
      evidence: [tool.name, ...tool.arguments.slice(0, 3).map(({ path }) => path), description],
      proposal: `describe what ${tool.name} does, or move this description to the tool that it is about`,
    });
  };

const isTitleOfName = (title: string, name: string): boolean =>
  plainWords(title).join('') === readName(name).words.join('');

/** Returns how many words of a description the descriptions of arguments have as well. */
const describedInArguments = ({ arguments: all }: ReadTool, said: readonly string[]): number => {
  const words = new Set(all.flatMap(({ description }) => fullWords(description)));
  return said.filter((word) => word.length > 3 && words.has(word)).length;
};
