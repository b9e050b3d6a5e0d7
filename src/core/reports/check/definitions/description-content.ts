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
  stemOf,
  isSpeltBy,
  isForeignSmallWord,
} from './tool-words.ts';
import { beginningOf, sameBeginning } from './server-words.ts';
import type { CheckFinding } from '../finding.ts';
import { findingOnTool, listSchemaWords, type ReadServer, type ReadTool, type ToolRule } from './read-tool.ts';

/** Longer descriptions say something. */
const mostTautologicalWords = 14;
const mostVagueWords = 14;
const mostVagueForeignWords = 1;
/** Fewer letters of another script than Latin are no word of content. */
const leastLetters = 2;
/** Content words that a description has to have before it can be one of another thing. */
const leastForeignWords = 4;

/** Arguments that tools of all kinds have. */
const frameWords = new Set('id ids limit page offset max min sort count cursor'.split(' '));

/** Words that give nothing away about what a tool is for. */
const vagueWords =
  /^(?:helper|helpers|various|misc|miscellaneous|stuff|things?|utility|utilities|general|generic|handles?|handling|process(?:es|ing)?|manages?|managing|operations?|tasks?|useful|does|do|performs?|works?|working|functionality|features?|tools?|multi|multipurpose|everything|anything|something|whatever|data|information|requests?|purposes?|actions?)$/;

/** The same in other languages; an ending may follow. */
const vagueForeign =
  /^(?:hilfs\w*|verschieden\w*|divers\w*|allgemein\w*|sonstig\w*|werkzeug\w*|funktion\w*|verarbeite\w*|daten|aufgaben?|nützlich\w*|outils?|fonctions?|utilitaires?|traite\w*|données|tâches?|herramientas?|funciones|función|varias?|varios|general\w*|utilidad\w*|procesa\w*|datos|tareas?|operacion\w*|opérations?|ferramentas?|dados|processa\w*|útil\w*|utile\w*)$/;
const vagueElsewhere =
  /处理|数据|工具|通用|辅助|各种|操作|功能|相关|执行|任务|进行|一个|杂项|的|その他|いろいろな|様々な|処理|データ|ツール|汎用|補助|します|する|です|を|の|(?<!\p{L})(?:вспомогательн|различн|операци|инструмент|обраб|данн|разн|общ|функци|выполня|полезн|задач|для|и(?!\p{L}))\p{L}*/giu;

/** Finds a description that says nothing beyond the name of its tool. */
export const findTautology = (tool: ReadTool): CheckFinding | null => {
  const { description } = tool;
  if (description.trim() === '' || !isMostlyLatin(description)) return null;
  const words = plainWords(description);
  if (words.length > mostTautologicalWords || restOf(tool, words).length > 0) return null;
  const nameHas = tool.named.words;
  if (!words.some((word) => nameHas.some((each) => areWordsAkin(each, word)))) return null;
  return findingOnTool('description-tautological', tool, {
    sentence: `its description, ${quoted(description)}, says nothing beyond its name`,
    evidence: [description],
    proposal: `say what it returns, when to use it, and what it needs${argumentsInWords(tool)}`,
  });
};

/** Returns the words of a description that its name does not have, in no form; verbs of the same meaning count as the name's. */
function restOf({ named: { words: all, verb }, description }: ReadTool, words: readonly string[]): string[] {
  const isForeign = !isLikelyEnglish(description);
  const named = all.filter((word) => !isEmptyWord(word));
  return words.filter((word, index) => {
    if (word.length < 2 || isEmptyWord(word) || (isForeign && isForeignSmallWord(word))) return false;
    if (isForeign && named.some((each) => each.length > 3 && each.slice(0, 4) === word.slice(0, 4))) return false;
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
  if (description.trim() === '' || !isVague(tool) || findTautology(tool) !== null) return null;
  return findingOnTool('description-vague', tool, {
    sentence: `its description, ${quoted(description)}, does not say what it does, or to what`,
    evidence: [description],
    proposal: `name the action, what it acts on and what it returns${argumentsInWords(tool)}`,
  });
};

function isVague(tool: ReadTool): boolean {
  const { description } = tool;
  if (!isMostlyLatin(description)) return countLetters(description.replaceAll(vagueElsewhere, '')) < leastLetters;
  const words = plainWords(description);
  if (words.length > mostVagueWords) return false;
  const full = fullWords(description).filter((word) => !vagueWords.test(word) && verbClassOrNull(word) === null);
  if (isLikelyEnglish(description) || words.some((word) => vagueWords.test(word))) {
    if (full.length === 0) return true;
    const named = tool.named.words;
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
  const rest = words.filter((word) => !isForeignSmallWord(word) && !isEmptyWord(word));
  if (rest.every((word) => vagueForeign.test(word))) return true;
  return words.length <= mostVagueForeignWords && description.trim().length < 16;
}

const countLetters = (text: string): number => (text.match(/\p{L}/gu) ?? []).length;

/** Finds a description without a subject in common with its tool. */
export const findAnotherThing: ToolRule = (tool, server) => {
  const { description, title } = tool;
  if (!isLikelyEnglish(description)) return findForeignAnotherThing(tool, server);
  const said = [...new Set(fullWords(description).filter((word) => word.length > 2))];
  if (said.length < leastForeignWords) return null;
  const { words, objects, verb } = tool.named;
  const subject = objects.length > 0 ? objects : words;
  const known = [
    ...subject.filter((word) => word.length > 1),
    ...tool.arguments.flatMap(({ name }) => fullWords(name)).filter((word) => !frameWords.has(word)),
    ...(isTitleOfName(title, tool.name) ? [] : fullWords(title)),
    ...Array.from(listSchemaWords(tool.definition.inputSchema)).slice(0, 100).flatMap(fullWords),
  ];
  // A word alone, such as `version`, may stand for much.
  if (
    subject.every(isEmptyWord) ||
    (words.length === 1 && (tool.arguments.length === 0 || known.filter((word) => word.length > 2).length < 2))
  )
    return null;
  const all = plainWords(description);
  const isHome = isOfItsServer(said, tool, server);
  // The beginning of a word may be another one by chance: `tax` of `taxon`.
  const isShared = (word: string): boolean =>
    said.some((each) => areWordsAkin(word, each) && (isHome || !isMereBeginning(word, each))) ||
    isSpeltBy(word, all) ||
    (word.length > 3 && description.toLowerCase().includes(word));
  // Words that say little elsewhere are the subject of a tool that is named after them.
  const plain = [...words, ...tool.arguments.flatMap(({ name }) => plainWords(name))].filter(
    (word) => word.length > 3 && verbClassOrNull(word) === null && !frameWords.has(word),
  );
  if (
    known.some(isShared) ||
    all.some((word) => plain.some((each) => each === word || `${each}s` === word || each === `${word}s`))
  )
    return null;
  // A name of one verb, such as `think`, has its subject in that verb.
  if (objects.length === 0 && all.slice(0, 6).some((word) => verbClassOrNull(word) === verb && verb !== null))
    return null;
  if (describedInArguments(tool, said) > 0 || (isHome && !isOfSibling(tool, server))) return null;
  return findingOfAnotherThing(tool);
};

/** Words of other languages than English have no list of synonyms here, so that more of them have to be foreign. */
const leastForeignWordsAbroad = 5;

/** Finds a description in another language of which no word begins as one of its tool or of its server does. */
function findForeignAnotherThing(tool: ReadTool, server: ReadServer) {
  const { description, name, title } = tool;
  // Without arguments there is the name alone, and a synonym of it is no other thing.
  if (!isMostlyLatin(description) || tool.arguments.length === 0) return null;
  const said = [
    ...new Set(
      plainWords(description)
        .filter((word) => word.length > sameBeginning)
        .map(beginningOf),
    ),
  ];
  const known = [
    name,
    title,
    ...tool.arguments.flatMap((each) => [each.name, each.description]),
    ...Array.from(listSchemaWords(tool.definition.inputSchema)).slice(0, 100),
  ];
  const begun = new Set(known.flatMap(plainWords).map(beginningOf));
  const foreign = said.filter((word) => !begun.has(word) && !server.words.hasBeginning(word, name));
  // A verb, such as "returns", may be the same as elsewhere.
  if (server.tools.length < 3 || foreign.length < leastForeignWordsAbroad || said.length - foreign.length > 1)
    return null;
  return findingOfAnotherThing(tool);
}

const findingOfAnotherThing = (tool: ReadTool) =>
  findingOnTool('description-of-another-thing', tool, {
    sentence: `its description, ${quoted(tool.description)}, shares no subject with its name or its arguments`,
    evidence: [tool.description, ...tool.arguments.slice(0, 3).map(({ path }) => path)],
    proposal: `describe what ${tool.name} does, or move this description to the tool that it is about`,
  });

const isMereBeginning = (one: string, other: string): boolean => {
  const [short = '', long = ''] = [one, other].toSorted((x, y) => x.length - y.length);
  return short.length === 3 && short !== long && long.startsWith(short);
};

/** Whether the words of a description are at home on the server: other tools, or the server itself, speak of two of them. */
const isOfItsServer = (said: readonly string[], tool: ReadTool, server: ReadServer): boolean =>
  said.filter((word) => word.length > 3 && server.words.hasStem(stemOf(word), tool.name)).length > 1;

/** Whether a description begins as one of another tool of the server would: with its verb and what it acts on. */
function isOfSibling(tool: ReadTool, { tools }: ReadServer): boolean {
  const words = plainWords(tool.description.split(/[.;:,(]/)[0] ?? '').slice(0, 8);
  const begins = verbClassOrNull(words[0] ?? '');
  if (begins === null) return false;
  const stems = new Set(words.map(stemOf));
  return tools.some(
    ({ name, named: { verb, objects } }) =>
      name !== tool.name && verb === begins && objects.length > 0 && objects.every((each) => stems.has(stemOf(each))),
  );
}

/** Leaves descriptions out that speak of what calls of their tool answer: `texts` are the answers, by `server/tool`. */
export const withoutDescriptionsBorneOut = (
  findings: readonly CheckFinding[],
  texts: ReadonlyMap<string, string>,
): CheckFinding[] =>
  findings.filter(({ rule, tool, evidence: [description = ''] }) => {
    if (rule !== 'description-of-another-thing' || tool === null) return true;
    const answered = new Set(fullWords(texts.get(tool) ?? '').map(stemOf));
    return fullWords(description).filter((word) => word.length > 3 && answered.has(stemOf(word))).length < 2;
  });

const isTitleOfName = (title: string, name: string): boolean =>
  plainWords(title).join('') === readName(name).words.join('');

/** Returns how many words of a description the descriptions of arguments have as well. */
const describedInArguments = ({ arguments: all }: ReadTool, said: readonly string[]): number => {
  const words = new Set(all.flatMap(({ description }) => fullWords(description)));
  return said.filter((word) => word.length > 3 && words.has(word)).length;
};
