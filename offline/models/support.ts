import { stripNameFromStatementOrNull } from './claims.ts';
import { tokenizeContentWords, type Token } from './tokens.ts';

/**
 * Returns whether a passage says what a statement says, by words and by rules that know a little English, without any
 * similarity. Each clause of the statement needs one piece of the passage with all of its words; names keep their
 * order, numbers their units, directions their targets, superlatives their rank. What the rules cannot follow counts as
 * not said.
 */
export const passageSupportsStatement = (passage: string, statement: string): boolean => {
  const colon = passage.indexOf(': ');
  const names = passage.slice(0, colon).split(', ');
  const { said, subject } = stripSubjectIfNamed(rewordLikePassages(statement), names);
  // The subject of a statement is not what it says: the capital of Kenya is not Kenya.
  const scope = new Set(subject ? [] : names.flatMap(tokenizeContentWords).map(({ key }) => key));
  const pieces = splitIntoPieces(passage.slice(colon + 2), scope);
  const clauses = said
    .split(/[,;](?!\d)/u)
    .map(tokenizeContentWords)
    .filter((tokens) => tokens.some(({ key }) => !scope.has(key)));
  return clauses.length > 0 && clauses.every((clause) => pieces.some((piece) => pieceSupportsClause(piece, clause)));
};

/** Returns what is said about a name, if the statement begins with one of the passage's own. */
const stripSubjectIfNamed = (statement: string, names: readonly string[]): { said: string; subject: boolean } => {
  const said = names.map((name) => stripNameFromStatementOrNull(name, statement)).find((one) => one !== null);
  return { said: said ?? statement, subject: said !== undefined };
};

/**
 * A piece of a passage, with what applies to all pieces: the passage's names, a field of use, the subject of a list.
 */
interface Piece {
  readonly tokens: readonly Token[];
  readonly scope: ReadonlySet<string>;
}

const splitIntoPieces = (body: string, names: ReadonlySet<string>): Piece[] => {
  // The field in which something is used is stated once and applies to all the rest.
  const field = tokenizeContentWords(/\bused in (\p{L}+)/u.exec(body)?.[1] ?? '').map(({ key }) => key);
  return body
    .replace(/\bthe capital, ([^,]+), is\b/u, 'the capital $1 is')
    .split(/;|(?=")/u)
    .flatMap((part) => {
      const listed = tokenizeContentWords(/^\s*the (\p{L}+) are\b/u.exec(part)?.[1] ?? '').map(({ key }) => key);
      const scope = new Set([...names, ...field, ...listed]);
      return part.split(/,(?!\d)/u).map((piece) => ({ tokens: tokenizeContentWords(piece), scope }));
    });
};

/** Returns the statement in words that are closer to those of passages. */
const rewordLikePassages = (statement: string): string =>
  rewordings.reduce((said, [from, to]) => said.replace(from, to), statement.trim().replace(/[.!]$/u, ''));

const rewordings: readonly (readonly [RegExp, (...groups: string[]) => string])[] = [
  [/\b(?:is|was) governed from its capital, /u, () => 'has its capital '],
  [/^of the ([^,]+), (.+)$/iu, (_, whole = '', rest = '') => `${rest} of the ${whole}`],
  [/\bon the river (?=\p{Lu})/u, () => 'on the '],
  [/\bas one (?=\p{Ll})/u, () => 'as a '],
  [
    /^(no|one|two|three|four) (\p{L}+) (in .+?) (?:is|are) (\p{L}+?)(?:i?er) than (.+)$/iu,
    (_, count = '', kind = '', where = '', quality = '', name = '') =>
      `${name} is the ${formatRankByCountAhead(count)}${quality}est ${kind} ${where}`,
  ],
  [
    /^there are (\p{L}+|\d+) (\p{L}+) in an? (\p{L}+)$/iu,
    (_, count = '', part = '', whole = '') => `${part} one ${toOrdinalWord(count)} of a ${whole}`,
  ],
];

const counts = ['no', 'one', 'two', 'three', 'four'];
const formatRankByCountAhead = (count: string): string => {
  const before = counts.indexOf(count.toLowerCase());
  return before === 0 ? '' : `${['', '2nd', '3rd', '4th', '5th'][before] ?? ''} `;
};

const irregular: ReadonlyMap<string, string> = new Map([
  ['five', 'fifth'],
  ['eight', 'eighth'],
  ['nine', 'ninth'],
  ['twelve', 'twelfth'],
]);
const toOrdinalWord = (count: string): string => irregular.get(count.toLowerCase()) ?? `${count}th`;

const pieceSupportsClause = ({ tokens, scope }: Piece, clause: readonly Token[]): boolean => {
  if (tokens.some(({ key }) => hedges.has(key)) && !clause.some(({ key }) => hedges.has(key))) return false;
  const open = new Set(tokens.keys());
  let lastName = -1;
  return clause.every((token, at) => {
    for (const index of open) {
      const said = tokens[index];
      if (said === undefined || !tokensMatch(token, said)) continue;
      // A city in Ontario on Lake Superior is not in Superior on Lake Ontario.
      if (token.named && said.named && index < lastName) continue;
      if (!hasSameNeighbour(token, clause[at + 1], said, tokens[index + 1])) continue;
      if (!hasSameRank(token, clause[at - 1], tokens[index - 1])) continue;
      open.delete(index);
      if (token.named && said.named) lastName = index;
      return true;
    }
    return token.kind === 'word' && scope.has(token.key) && !isNumberOrDirection(token);
  });
};

/** Words that restrict what they qualify; leaving them out changes the meaning. */
const hedges = new Set(
  'not no never former formerly less more except without nearly almost about originally once'.split(' '),
);

const tokensMatch = (one: Token, other: Token): boolean =>
  one.kind === 'range'
    ? other.kind === 'number' && other.value >= one.value && other.value < one.below
    : one.key === other.key;

const direction = /^(?:north|south|east|west|central)|^(?:upper|lower|left|right)$/u;
const isNumberOrDirection = ({ kind, key }: Token): boolean => kind !== 'word' || direction.test(key);

/** A number belongs to its unit and a direction to its target, if the passage states them together. */
const hasSameNeighbour = (token: Token, next: Token | undefined, said: Token, after: Token | undefined): boolean => {
  if (!isNumberOrDirection(token) || token.kind === 'ordinal' || !said.joined || after === undefined) return true;
  return next === undefined || !token.joined || tokensMatch(next, after);
};

/** The largest is not the second largest. */
const hasSameRank = (token: Token, before: Token | undefined, saidBefore: Token | undefined): boolean => {
  if (!/(?:est|most)$/u.test(token.key) || /^(?:west|east|forest)$/u.test(token.key)) return true;
  const rank = (one: Token | undefined): number => (one?.kind === 'ordinal' ? one.value : 1);
  return rank(before) === rank(saidBefore);
};
