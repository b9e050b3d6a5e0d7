import { splitIdentifier } from '#core/catalog/category.ts';
import {
  freeTextFitnessOfArgument,
  canHoldText,
  kindOfLeafValues,
  earlierResultLikelihood,
  listInformativeWordsOfLeaf,
} from './leaf-terms.ts';
import { listSchemaLeaves, type SchemaLeaf } from './schema-leaves.ts';
import {
  isActionWord,
  doesKindSayAll,
  isInformativeWord,
  valueKindOfWord,
  normalizedWordsOfIdentifier,
  listContentWordsOfText,
} from './term-words.ts';
import { toolNameWithoutServer, type Tool } from '#core/catalog/tool.ts';

/**
 * What a tool's results provide and what its arguments take, in shared terms: words (`branch`), a value of something
 * (`user id`), kinds of values (`=path`), and other tools that a description names (`@get user`, on the taking side). A
 * weight, above 0 and at most 1, says how certain it is that the tool provides the term, or takes it from elsewhere.
 */
export type Terms = ReadonlyMap<string, number>;

/** Longer texts and further terms are ignored. */
const maxDescription = 1_000;
const maxName = 100;
const maxTerms = 48;

/** Returns what results provide: the fields of the output schema, and what name and description promise. */
export const weighResultTerms = (tool: Tool): Terms => {
  const terms = new Map<string, number>();
  const { name, nouns } = wordsAndNounsOfToolName(tool);
  const gives = resultUsefulness(tool, name);
  const leaves = tool.outputSchema === undefined ? [] : listSchemaLeaves(tool.outputSchema);
  for (const leaf of leaves) {
    const kind = kindOfLeafValues(leaf);
    const told = hasLeafVagueName(leaf) ? [] : listInformativeWordsOfLeaf(leaf, nouns);
    for (const term of told) raiseTermWeight(terms, term, 1);
    if (kind !== undefined && kind !== 'text') raiseWeightOfValueKind(terms, kind, 1);
  }
  for (const noun of nouns) {
    raiseWeightsOfWordAndItsKind(terms, noun, 0.7 * gives);
    for (const value of ['id', 'name']) raiseTermWeight(terms, `${noun} ${value}`, 0.4 * gives);
  }
  const text = descriptionOrTitleText(tool);
  for (const [, clause = ''] of text.matchAll(promises))
    for (const word of listContentWordsOfText(clause)) raiseWeightsOfWordAndItsKind(terms, word, 0.5 * gives);
  for (const word of listContentWordsOfText(firstSentence(text)))
    raiseWeightsOfWordAndItsKind(terms, word, 0.3 * gives);
  for (const other of listIdentifiersInText(text)) raiseTermWeight(terms, `@${other}`, 0.5);
  raiseTermWeight(terms, `>${name.join(' ')}`, 1);
  // Without a schema, a result is text and may contain a number.
  if (leaves.length === 0) raiseWeightOfValueKind(terms, 'number', (tool.category === 'compute' ? 0.8 : 0.3) * gives);
  const isTextual = leaves.length === 0 || leaves.some(canHoldText);
  raiseWeightOfValueKind(terms, 'text', (isTextual ? 1 : 0.5) * gives * (terms.has('=picture') ? 0.6 : 1));
  return heaviestTerms(terms);
};

/** Returns what arguments take from elsewhere; empty for a tool without inputs. */
export const weighArgumentTerms = (tool: Tool): Terms => {
  const terms = new Map<string, number>();
  const { name, nouns } = wordsAndNounsOfToolName(tool);
  const freedom = freedoms.get(tool.category) ?? 1;
  let unwritten = 1;
  let most = 0;
  for (const leaf of listSchemaLeaves(tool.inputSchema)) {
    const needed = earlierResultLikelihood(leaf);
    if (needed === 0) continue;
    most = Math.max(most, needed);
    const told = listInformativeWordsOfLeaf(leaf, nouns);
    for (const term of told) raiseTermWeight(terms, term, needed);
    // A plain `query` asks for the tool's subject.
    if (told.length === 0) for (const noun of nouns) raiseTermWeight(terms, noun, 0.5 * needed);
    for (const word of listContentWordsOfText(leaf.description)) raiseTermWeight(terms, word, 0.2 * needed);
    for (const other of listIdentifiersInText(leaf.description)) raiseTermWeight(terms, `>${other}`, needed);
    const kind = kindOfLeafValues(leaf);
    if (kind !== undefined && kind !== 'text') raiseWeightOfValueKind(terms, kind, needed);
    unwritten *= 1 - needed * freeTextFitnessOfArgument(leaf, kind) * freedom;
  }
  if (most === 0) return terms;
  for (const other of listIdentifiersInText(descriptionOrTitleText(tool)))
    raiseTermWeight(terms, `>${other}`, 0.5 * most);
  raiseTermWeight(terms, `@${name.join(' ')}`, most);
  raiseWeightOfValueKind(terms, 'text', 1 - unwritten);
  return heaviestTerms(terms);
};

/** Returns whether a field's name says nothing about its content, because any tool may have it in its results. */
const hasLeafVagueName = ({ name }: SchemaLeaf): boolean => vague.has(name.toLowerCase());

const vague: ReadonlySet<string> = new Set(
  'message text body content result output response data status success info error'.split(' '),
);

/**
 * Tools that read or remove something need the name of an existing thing, not any text. By category; 1 for the others.
 */
const freedoms: ReadonlyMap<string, number> = new Map([
  ['delete', 0.3],
  ['read', 0.5],
  ['list', 0.5],
  ['search', 0.7],
]);

const raiseTermWeight = (terms: Map<string, number>, term: string, weight: number): void => {
  if (weight > (terms.get(term) ?? 0)) terms.set(term, weight);
};

const raiseWeightOfValueKind = (terms: Map<string, number>, kind: string, weight: number): void =>
  raiseTermWeight(terms, `=${kind}`, weight * (kind === 'id' ? 0.5 : 1));

const raiseWeightsOfWordAndItsKind = (terms: Map<string, number>, word: string, weight: number): void => {
  const kind = valueKindOfWord(word);
  if (!doesKindSayAll(kind)) raiseTermWeight(terms, word, weight);
  if (kind !== undefined && kind !== 'text') raiseWeightOfValueKind(terms, kind, weight);
};

/** Returns the heaviest terms; equal weights are in alphabetical order. */
const heaviestTerms = (terms: ReadonlyMap<string, number>): Terms =>
  terms.size <= maxTerms
    ? terms
    : new Map([...terms].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, maxTerms));

/** Returns the words of a tool's own name, and those that name its object. */
const wordsAndNounsOfToolName = ({ name, server }: Tool): { name: string[]; nouns: string[] } => {
  const own = toolNameWithoutServer(name).slice(0, maxName);
  // `get_user_by_email`: the words after the preposition are what it takes.
  const [before = own] = own.split(smallWord, 1);
  const nouns = normalizedWordsOfIdentifier(before).filter((word) => isInformativeWord(word) && !isActionWord(word));
  const makers = new Set(normalizedWordsOfIdentifier(server));
  const others = nouns.filter((noun) => !makers.has(noun));
  return { name: splitIdentifier(own), nouns: (others.length > 0 ? others : nouns).slice(0, 6) };
};

const smallWord = /(?<=[a-z0-9])(?:[_-](?:by|for|from|with|in|to|of)[_-]|(?:By|For|From|With|In|To|Of)(?=[A-Z]))/;

const descriptionOrTitleText = ({ title = '', description = title }: Tool): string =>
  description.slice(0, maxDescription);

/** Returns identifiers of several words in a text, as words: in texts about tools these are mostly other tools. */
const listIdentifiersInText = (text: string): string[] => {
  if (!identifier.test(text)) return [];
  const telling = text.split('.').filter((sentence) => !otherWay.test(sentence));
  return (telling.join('.').match(identifiers) ?? []).map((each) => splitIdentifier(each.slice(0, maxName)).join(' '));
};

const identifier = /[A-Za-z0-9][_-][A-Za-z0-9]|[a-z0-9][A-Z]/;
const identifiers = /(?<![A-Za-z0-9])[A-Za-z][a-z0-9]*(?:[_-][A-Za-z0-9]+|[A-Z][a-z0-9]+)+/g;

/** Sentences about alternatives, not about earlier or later steps. */
const otherWay = /\b(?:instead|unlike|rather than|deprecated|prefer|do not)\b/i;

/** Returns how useful a tool's results are for later steps: 0..1. */
const resultUsefulness = ({ category }: Tool, name: readonly string[]): number => {
  if (category === 'delete' || name.some((word) => silent.has(word))) return 0.2;
  return category === 'send' || category === 'update' ? 0.6 : 1;
};

/** Actions whose result only confirms that they were done. */
const silent: ReadonlySet<string> = new Set(
  'toggle enable disable start stop trigger subscribe unsubscribe close cancel kill restart lock unlock wait'.split(
    ' ',
  ),
);

const promises =
  /\b(?:returns?|returning|outputs?|gives?|provides?|produces?|responds with|retrieves?|fetch(?:es)?|lists?|creates?|generates?|finds?|gets?)\b([^.;:\n]{1,120})/gi;

const firstSentence = (text: string): string => text.split(/[.\n。]/, 1)[0] ?? '';
