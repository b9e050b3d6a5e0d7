import { deriveCategory, wordsOf } from './category.ts';
import { leavesOf, type SchemaLeaf } from './schema-leaves.ts';
import { isTelling, kindOf, kindOfFormatName, nameWords, textWords, type Kind } from './term-words.ts';
import { nameOnServer, type Tool } from './tool.ts';

/**
 * What a tool's results bring and what its arguments take, in terms that both share: words (`branch`), a value of something
 * (`user id`), and kinds of values (`=path`). A weight, above 0 and at most 1, says how sure it is that the tool has it to give, or
 * would take it from elsewhere.
 */
export type Terms = ReadonlyMap<string, number>;

const maxDescription = 1_000;
const maxTerms = 48;

/** What results bring: the fields of the output schema, and what name and description promise. */
export const broughtTerms = (tool: Tool): Terms => {
  const terms = new Map<string, number>();
  const { nouns, deed } = namedBy(tool);
  const gives = givingOf(tool, deed);
  const leaves = tool.outputSchema === undefined ? [] : leavesOf(tool.outputSchema);
  for (const leaf of leaves) {
    const kind = kindOfLeaf(leaf);
    const told = vague.has(leaf.name.toLowerCase()) ? [] : wordsOfLeaf(leaf, nouns);
    for (const term of told) raise(terms, term, 1);
    if (kind !== undefined && (kind !== 'text' || told.length > 0)) raise(terms, `=${kind}`, 1);
  }
  const text = (tool.description ?? '').slice(0, maxDescription);
  for (const noun of nouns) {
    raise(terms, noun, 0.7 * gives);
    for (const value of ['id', 'name']) raise(terms, `${noun} ${value}`, 0.4 * gives);
    raiseKind(terms, noun, 0.7 * gives);
  }
  for (const [, clause = ''] of text.matchAll(promises)) {
    for (const word of textWords(clause)) {
      raise(terms, word, 0.5 * gives);
      raiseKind(terms, word, 0.6 * gives);
    }
  }
  for (const word of textWords(firstSentence(text))) {
    raise(terms, word, 0.3 * gives);
    raiseKind(terms, word, 0.3 * gives);
  }
  // Without a schema, a result is text, whatever it says, and may hold a number.
  if (leaves.length === 0) raise(terms, '=number', (deed === 'compute' ? 0.8 : 0.3) * gives);
  const isTextual = leaves.length === 0 || leaves.some(({ types }) => types.has('string') || types.has('unknown'));
  raise(terms, '=text', (isTextual ? 1 : 0.5) * gives * (terms.has('=picture') ? 0.6 : 1));
  return largest(terms);
};

/** What arguments take from elsewhere; empty for a tool without inputs. */
export const takenTerms = (tool: Tool): Terms => {
  const terms = new Map<string, number>();
  const { nouns, deed } = namedBy(tool);
  let unwritten = 1;
  for (const leaf of leavesOf(tool.inputSchema)) {
    const needed = neededOf(leaf);
    if (needed === 0) continue;
    for (const term of wordsOfLeaf(leaf, nouns)) raise(terms, term, needed);
    for (const word of textWords(leaf.description)) raise(terms, word, 0.3 * needed);
    const kind = kindOfLeaf(leaf);
    if (kind !== undefined && kind !== 'text') raise(terms, `=${kind}`, needed);
    unwritten *= 1 - needed * writtenness(leaf, kind) * freedomOf(deed);
  }
  if (unwritten < 1) raise(terms, '=text', 1 - unwritten);
  return largest(terms);
};

/** How likely a value for it is to come from an earlier result: 0..1. */
const neededOf = (leaf: SchemaLeaf): number => {
  if (leaf.types.has('boolean') && leaf.types.size === 1) return 0;
  const chosen = leaf.chosen ? 0.15 : 1;
  const required = leaf.required ? 1 : 0.4;
  const setting = nameWords(leaf.name).some((word) => settings.has(word)) ? 0.3 : 1;
  return chosen * required * setting;
};

/** What exists already is asked for, or removed, under its own name: not any text will do. */
const freedomOf = (deed: string): number =>
  deed === 'delete' ? 0.3 : deed === 'read' || deed === 'list' ? 0.5 : deed === 'search' ? 0.7 : 0.95;

/** Words of arguments that say how to do something, not with what. */
const settings: ReadonlySet<string> = new Set(
  `limit max min page offset per count depth width height size timeout format theme style encoding mode verbose sort order
  head tail lang language locale unit color colour padding margin align type flag flags dry force recursive`.split(
    /\s+/,
  ),
);

/** How freely a value of any wording can stand in it: 0..1. */
const writtenness = (leaf: SchemaLeaf, kind: Kind | undefined): number => {
  if (!leaf.types.has('string') && !leaf.types.has('unknown')) return 0;
  if (kind === 'text') return 1;
  return kind === undefined ? 0.6 : 0.15;
};

/** The kind of a leaf's values: what its format says, else its name from the last word on, else its type. */
const kindOfLeaf = (leaf: SchemaLeaf): Kind | undefined => {
  const told = kindOfFormatName(leaf.format);
  if (told !== undefined) return told;
  const isNumber = leaf.types.has('number') || leaf.types.has('integer');
  for (const word of nameWords(leaf.name).toReversed()) {
    const kind = kindOf(word);
    if (kind !== undefined && (!isNumber || kind === 'id' || kind === 'time')) return kind;
  }
  if (isNumber) return 'number';
  return leaf.types.has('array') || leaf.types.has('object') ? 'rows' : undefined;
};

/** Properties that every thing has: of what they are is what tells. */
const bare: ReadonlySet<string> = new Set('id name title key type path number code url slug date status'.split(' '));

/** Fields of results that any tool may have: their names say nothing of what they hold. */
const vague: ReadonlySet<string> = new Set('message text body status success info error'.split(' '));

/** The telling words of a leaf's name, each alone and with what it belongs to. */
const wordsOfLeaf = (leaf: SchemaLeaf, nouns: readonly string[]): string[] => {
  const words = nameWords(leaf.name);
  const head = words.at(-1);
  if (head === undefined) return [];
  const told = words.filter((word) => isTelling(word) && !bare.has(word));
  if (!bare.has(head)) return told;
  const owners = words.length > 1 ? [words.at(-2) ?? ''] : leaf.owner === '' ? nouns : nameWords(leaf.owner).slice(-1);
  return [...told, ...owners.map((owner) => `${owner} ${head}`)];
};

const raise = (terms: Map<string, number>, term: string, weight: number): void => {
  if (weight > (terms.get(term) ?? 0)) terms.set(term, weight);
};

const raiseKind = (terms: Map<string, number>, word: string, weight: number): void => {
  const kind = kindOf(word);
  if (kind !== undefined && kind !== 'text') raise(terms, `=${kind}`, weight);
};

/** The heaviest terms; of equal weights those that come first in the alphabet. */
const largest = (terms: ReadonlyMap<string, number>): Terms =>
  terms.size <= maxTerms
    ? terms
    : new Map([...terms].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, maxTerms));

/** What a tool's name says: what is done, and to what. */
const namedBy = ({ name, annotations }: Tool): { nouns: string[]; deed: string } => {
  const own = nameOnServer(name).slice(0, maxTerms * 2);
  const deed = deriveCategory(own, annotations);
  // `get_user_by_email`: what stands behind the small word is what it takes.
  const [before = own] = own.split(
    /(?<=[a-z0-9])(?:[_-](?:by|for|from|with|in|to|of)[_-]|(?:By|For|From|With|In|To|Of)(?=[A-Z]))/,
    1,
  );
  const nouns = nameWords(before).filter((word) => isTelling(word) && deriveCategory(word, undefined) === 'other');
  return { nouns: nouns.slice(0, 6), deed };
};

/** How much a deed leaves to go on with: 0..1. */
const givingOf = ({ name }: Tool, deed: string): number => {
  if (deed === 'delete' || wordsOf(nameOnServer(name)).some((word) => silent.has(word))) return 0.2;
  return deed === 'send' || deed === 'update' ? 0.4 : 1;
};

/** Deeds of which a result only says that they are done. */
const silent: ReadonlySet<string> = new Set(
  `toggle enable disable start stop trigger subscribe unsubscribe close cancel kill restart lock unlock sleep wait`.split(
    ' ',
  ),
);

const promises =
  /\b(?:returns?|returning|outputs?|gives?|provides?|produces?|responds with|retrieves?|fetch(?:es)?|lists?|creates?|generates?|finds?|gets?)\b([^.;:\n]{1,120})/gi;

const firstSentence = (text: string): string => text.split(/[.\n。]/, 1)[0] ?? '';
