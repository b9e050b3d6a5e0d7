import { splitIdentifier } from '#core/catalog/category.ts';
import { normalizeTermWord } from '#core/exploration/hint/term-words.ts';

/** The words of tools: what verbs mean the same, what words say nothing, and when two words are forms of one. */

/** Verbs by what they do. The first names the class. */
const verbClasses = `read get fetch retrieve show lookup load view describe return display inspect obtain give look provide access grab pull preview holen abrufen anzeigen lesen obtenir lire afficher consulter voir obtener leer mostrar ver consultar obter ler exibir
list enumerate browse auflisten lister listar
search find query suchen finden chercher rechercher trouver buscar encontrar procurar
create add new insert register make erstellen anlegen creer ajouter crear agregar criar
update edit modify change set patch adjust
delete remove erase drop purge destroy loeschen entfernen supprimer effacer eliminar borrar apagar excluir
send post publish dispatch senden versenden envoyer enviar
compute calculate calc eval evaluate berechnen calculer calcular
check validate verify
convert transform translate
run execute invoke
generate produce compose
count tally
cancel abort
export download
import upload
start launch begin
stop end halt`;

const classByVerb: ReadonlyMap<string, string> = new Map(
  verbClasses.split('\n').flatMap((line) => {
    const [first = '', ...others] = line.split(' ');
    return [first, ...others].map((verb): [string, string] => [verb, first]);
  }),
);

/** Words that say nothing about what a tool does, or to what. */
const emptyWords = new Set(
  `a an the this that these those it its their his her our your my of in on at to for from by with without within into onto out off up and or
  but so if then than as is are was were be been being do does did can could will would shall should may might must have has had no not
  yes any some all each every both either neither other another same such only just also too very more most many when where what which who
  how whether per via using used use uses based given specified specific provided supplied requested required optional current certain
  desired e.g i.e eg ie etc one ones me you us we i them they he she there here new us
  tool tools function functions method endpoint api utility utilities helper helpers command server mcp feature features functionality
  data information info details detail result results value values content contents thing things stuff item items object objects entity entities
  operation operations action actions task tasks request requests various several multiple different general generic misc miscellaneous
  allow allows enable enables let lets help helps support supports perform performs do does handle handles handling manage manages managing
  process processes processing work works working deal deals dealing simple simply useful easy easily convenient main basic common
  purpose purposes input inputs output outputs parameter parameters param params argument arguments user users client call calls able
  related relevant existing available single set sets need needs needed want wants`.split(/\s+/),
);

/** Words that mean the same in the names and descriptions of tools. */
const synonyms = `customer client buyer shopper account
order purchase
invoice bill billing
product article item goods sku
employee worker staff colleague person people
weather forecast temperature rain climate wind meteorological
price cost amount charge fee
money currency exchange amount rate
photo picture image
film movie
song track music
book title novel
shop store branch
flight plane airline
train railway rail
city town place location
appointment booking reservation meeting event slot
document file doc page
folder directory
message mail email letter
distance length kilometre kilometer mile far
time date day clock hour
word term text
user member account
ticket issue case
shipment parcel delivery package tracking track
stock inventory level quantity warehouse
tax vat
phone telephone
car vehicle
doctor physician
medicine drug
recipe dish meal food
holiday vacation leave
salary pay wage
route path way directions
repo repository
database db sql table
dns domain hostname host nameserver
ip address network cidr subnet
id identifier uuid ulid guid
hash digest checksum sha md5 crc
diff difference compare comparison
math arithmetic expression
calc calculate calculation
random dice chance
env environment variable
random uuid password number
qr barcode
csv table row column
geo geocode coordinate latitude longitude lat lon lng place location address
llm model
url uri link web page
http request response`;

const meanings: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const found = new Map<string, Set<string>>();
  for (const [line, words] of synonyms.split('\n').entries())
    for (const word of words.split(' ')) {
      const key = stemOf(word);
      found.set(key, (found.get(key) ?? new Set()).add(String(line)));
    }
  return found;
})();

/** Returns the class of verbs of the same meaning that a word belongs to, in any of its forms; null if it is none of them. */
export function verbClassOrNull(word: string): string | null {
  for (const form of [
    word,
    word.replace(/s$/, ''),
    word.replace(/(?<=sh|ch|x|ss)es$/, ''),
    word.replace(/ies$/, 'y'),
    word.replace(/ing$/, ''),
    word.replace(/ing$/, 'e'),
    word.replace(/(.)\1ing$/, '$1'),
  ]) {
    const found = classByVerb.get(form);
    if (found !== undefined) return found;
  }
  return null;
}

/** Returns whether a word says nothing by itself. */
export const isEmptyWord = (word: string): boolean => emptyWords.has(word) || /^\d+$/.test(word);

/** Returns a rough stem of an English word: `calculates`, `calculating` and `calculation` have one. */
export function stemOf(word: string): string {
  // `application` is of `apply`, as `notification` of `notify`.
  const singular = normalizeTermWord(word.toLowerCase()).replace(/ication$/, 'y');
  const stem = singular.replace(
    /(?<=\w{3})(?:ations?|ating|ates?|ated|ions?|ings?|ers?|ors?|ed|es|ment|al|ly|ity|e|y|i)$/,
    '',
  );
  return stem.replace(/([^aeiouls])\1$/, '$1');
}

/** Returns whether two words are forms, abbreviations or synonyms of each other. */
export function areWordsAkin(one: string, other: string): boolean {
  const [a, b] = [stemOf(one), stemOf(other)];
  if (a === b) return true;
  const [short = '', long = ''] = [one, other].toSorted((x, y) => x.length - y.length);
  if (short.length >= 3 && long.startsWith(short)) return true;
  if (a.length >= 3 && b.length >= 3 && (a.startsWith(b) || b.startsWith(a))) return true;
  if (short.length >= 4 && long.includes(short)) return true;
  if (a.length >= 5 && b.length >= 5 && a.slice(0, 5) === b.slice(0, 5)) return true;
  if (isAbbreviation(short, long)) return true;
  const shared = meanings.get(a);
  return shared !== undefined && [...(meanings.get(b) ?? [])].some((each) => shared.has(each));
}

/** `msg` of `message`, `pwd` of `password`, `cfg` of `config`. */
const isAbbreviation = (short: string, long: string): boolean => {
  if (short.length < 3 || short[0] !== long[0] || long.length < short.length + 2) return false;
  if (/[aeiou]/.test(short.slice(1))) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
};

/** Returns whether the words spell an acronym with their first letters: `value added tax` and `vat`. */
export const isSpeltBy = (acronym: string, words: readonly string[]): boolean =>
  acronym.length >= 2 &&
  acronym.length <= 6 &&
  words
    .map(([first = '']) => first)
    .join('')
    .includes(acronym);

/** Returns the words of a text in lower case, identifiers split; in Latin letters only. */
export const plainWords = (text: string): string[] =>
  (text.match(/[\p{Script=Latin}\d_'’]+/gu) ?? []).flatMap((word) =>
    /^[\w]+$/.test(word) ? splitIdentifier(word.replace(/[’'].*$/, '')) : [word.toLowerCase()],
  );

/** Returns the words of a text that say something. */
export const fullWords = (text: string): string[] =>
  plainWords(text).filter((word) => word.length > 1 && !isEmptyWord(word));

/** A name of a tool in words. */
export interface NamedWords {
  readonly words: readonly string[];
  /** The class of its verb; null if it has none. */
  readonly verb: string | null;
  /** The words that are no verbs of a class and say something. */
  readonly objects: readonly string[];
}

/** Reads the name of a tool: the first or the last word of a class is its verb, and `look_up` is one word. */
export function readName(name: string): NamedWords {
  const words = splitIdentifier(name.replace(/look[_-]?up/i, 'lookup'));
  const at = verbClassOrNull(words[0] ?? '') === null ? words.findIndex((word) => classByVerb.has(word)) : 0;
  const verb = at < 0 ? null : verbClassOrNull(words[at] ?? '');
  return { words, verb, objects: words.filter((word, index) => index !== at && !isEmptyWord(word)) };
}

const englishWords = new Set(
  'the a an of to and in for with by is are from on or as that this be it at its all if not use when which one has can'.split(
    ' ',
  ),
);
const otherWords = new Set(
  'der die das und ein eine einen einem einer eines des dem den mit von ob bis im ist wird wie zu zur zum als bei aus auf oder nicht für ist nach le la les une du au aux et pour dans avec est sur par el los las una unos para con del y en que il lo gli di della dei e uma os um het een van voor met op'.split(
    ' ',
  ),
);

/** Returns whether a word is an article or a preposition of another language than English. */
export const isForeignSmallWord = (word: string): boolean => otherWords.has(word);

/** Returns whether a text is mostly in Latin letters. */
export const isMostlyLatin = (text: string): boolean =>
  (text.match(/\p{Script=Latin}/gu) ?? []).length >= 0.8 * (text.match(/\p{L}/gu) ?? []).length;

/** Returns whether a text reads like English, by the small words in it. */
export function isLikelyEnglish(text: string): boolean {
  if (!isMostlyLatin(text)) return false;
  const words = (text.toLowerCase().match(/[\p{L}]+/gu) ?? []).slice(0, 200);
  const english = words.filter((word) => englishWords.has(word)).length;
  const other = words.filter((word) => otherWords.has(word)).length;
  if (other > english || (other > 0 && other === english)) return false;
  return (
    english > 0 ||
    (!/[äöüßéèàçñóíúãõåøæ]/i.test(text) &&
      words.length > 0 &&
      verbClassOrNull(words[0] ?? '') !== null &&
      !/(?:en|er|ar|ir|re)$/.test(words[0] ?? ''))
  );
}

/** Shortens a text to what a sentence can quote, in one line. */
export const quoted = (text: string, chars = 80): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return `"${line.length > chars ? `${line.slice(0, chars - 1).trimEnd()}…` : line}"`;
};

/** `a`, `a and b`, `a, b and c`. */
export const joinWithAnd = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
