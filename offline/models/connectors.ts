import { removeClarificationsFromMasked } from './clarifying.ts';

/**
 * How requests join clauses: what the writer puts between them, and where a reader splits them. Both sides know the
 * same English; neither knows which variant the other chose.
 */

const openers = [
  'first of all',
  'firstly',
  'first',
  'to begin with',
  'to start with',
  'to start',
  'start by',
  'after that',
  'after this',
  'afterwards',
  'next up',
  'next',
  'following that',
  'once that is done',
  'once you have that',
  'with that done',
  'that done',
  'then',
  'finally',
  'lastly',
  'last of all',
  'in the end',
  'at the end',
  'to finish',
  'to round it off',
  'also',
  'and',
  'now',
];

const courtesies = [
  'please',
  'kindly',
  'could you',
  'can you',
  'would you',
  'will you',
  'i would like you to',
  "i'd like you to",
  'i want you to',
  'i need you to',
  'you should',
  'help me to',
  'help me',
];

const regExpSourceOfAny = (words: readonly string[]): string =>
  words.toSorted((one, other) => other.length - one.length).join('|');

const breakBefore = new RegExp(
  `,\\s+(?=(?:and\\s+)?(?:${regExpSourceOfAny(openers.filter((word) => word !== 'and'))})\\b)`,
  'giu',
);
const breakAfter = /(?<=[.;?!])\s+/gu;
const leading = new RegExp(`^(?:(?:${regExpSourceOfAny([...openers, ...courtesies])})\\b[,:]?\\s+)`, 'iu');
const introduction = /^[^:]*\b(?:things|errand|what i need|this order)\b[^:]*:\s+/iu;
const trailing = /(?:,?\s+(?:please|for me|thanks|thank you|if you can))?[\s.;?!,]*$/iu;

/** Sentences that change nothing about what is wanted: they are about the person, with names and numbers that no call needs. */
export const contexts: readonly string[] = [
  'I am writing this from the train to Lund, which is 20 minutes late.',
  'My sister Vera asked me about it at breakfast, and she never gives up.',
  'There are 14 of us in the club, and I promised them an answer.',
  'I tried it on paper last winter and lost the sheet.',
];

const removeContextSentences = (masked: string): string =>
  contexts.reduce((text, context) => text.replace(context, ' '), masked).trim();

/** Splits a masked request into clauses without connectors and courtesies; leaves out what asks for nothing. */
export const splitClauses = (masked: string): string[] =>
  removeClarificationsFromMasked(removeContextSentences(masked))
    .replace(introduction, '')
    .split(breakAfter)
    .flatMap((sentence) => sentence.split(breakBefore))
    .map(stripConnectors)
    .filter((clause) => clause !== '' && !/^(?:thanks|thank you|hello|hi)\b/iu.test(clause));

const stripConnectors = (piece: string): string => {
  let clause = piece.trim();
  while (leading.test(clause)) clause = clause.replace(leading, '');
  return clause.replace(trailing, '').trim();
};

/** A way to join clauses. */
export type Style = (clauses: readonly string[]) => string;

const makeClauseJoiner =
  (opening: string, first: string, middles: readonly string[], last: string, end: string): Style =>
  (clauses) =>
    opening +
    clauses
      .map((clause, index) => {
        if (index === 0) return first + clause;
        const middle = middles[(index - 1) % middles.length] ?? '; ';
        return (index === clauses.length - 1 ? last : middle) + clause;
      })
      .join('') +
    end;

/** The style of a task's first wording. */
export const errandStyles: readonly Style[] = [
  makeClauseJoiner('An errand in this order: ', '', ['; then ', '; after that '], '; and finally ', '.'),
  makeClauseJoiner('Here is what I need: ', '', ['; next ', '; then '], '; lastly ', '.'),
  makeClauseJoiner('There are a few things to do: ', '', ['; after that ', '; next '], '; in the end ', '.'),
];

/** Neutral styles: one long sentence or plain ones. */
export const plainStyles: readonly Style[] = [
  makeClauseJoiner('', 'First, ', [', then ', ', after that '], ', and finally ', '.'),
  makeClauseJoiner('', 'To begin with, ', ['. Then ', '. After that, '], '. Finally, ', '.'),
  makeClauseJoiner('Please keep to this order: ', 'first ', ['. Next, ', '. Following that, '], '. Lastly, ', '.'),
];

const [inOneSentence, ...inSentences] = plainStyles;

/** All details in one sentence. */
export const mergedStyles: readonly Style[] = inOneSentence === undefined ? [] : [inOneSentence];

/** The details spread over several sentences. */
export const spreadStyles: readonly Style[] = inSentences;

/** Chattier ways. */
export const chattyStyles: readonly Style[] = [
  makeClauseJoiner('I need a few things done: ', '', ['; after that ', '; next '], '; and to finish, ', '. Thanks!'),
  makeClauseJoiner(
    'Hello! ',
    'Could you ',
    ['? Once that is done, ', '? With that done, please '],
    '? In the end, ',
    '. Thank you.',
  ),
  makeClauseJoiner(
    'I have a small errand: ',
    'please ',
    ['; once you have that, ', '; then '],
    '; to round it off, ',
    '. Thanks!',
  ),
];
