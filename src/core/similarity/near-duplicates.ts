import {
  characterSimilarity,
  chineseContentCharacters,
  contentSimilarity,
  contentWords,
  doBothAskDifferentQuestions,
  hasOppositeAction,
  letterSimilarity,
} from './content.ts';
import { type Entities, extractEntitiesAndRest, findDifferingEntityText } from './entities.ts';
import { contentWordsByLanguageRules } from './foreign-words.ts';
import { jaccardOfWords, splitWords } from './text-likeness.ts';
import { type Writing, chooseComparedWriting } from './writing.ts';
import { hasSameTools } from './same-tools.ts';
import { findReplacedPhrase } from './find-swap.ts';

/**
 * Returns whether two requests go opposite ways between the same two things: from savings to rent, from rent to
 * savings.
 */
function hasOppositeDirection(a: string, b: string): boolean {
  const left = findDirectionEnds(a);
  const right = findDirectionEnds(b);
  return areEndsSwapped(left.from, left.to, right) && areEndsSwapped(right.from, right.to, left);
}

/** Words for the start and the target of a way. */
interface Ends {
  readonly from: ReadonlySet<string>;
  readonly to: ReadonlySet<string>;
}

/** Returns whether each end of one way contains something that appears only at the other end of the other way. */
const areEndsSwapped = (from: ReadonlySet<string>, to: ReadonlySet<string>, other: Ends): boolean =>
  [...from].some((word) => !to.has(word) && other.to.has(word) && !other.from.has(word)) &&
  [...to].some((word) => !from.has(word) && other.from.has(word) && !other.to.has(word));

const starts = new Set(['from', 'out', '从', '把', '将']);
const targets = new Set(['to', 'into', 'onto', '到', '至', '成', '往', '为']);
/** These words mark a target only after an explicit start: there are 1,609 metres in a mile. */
const places = new Set(['in', 'on']);
const passedOver = new Set('of the a an my our your this that these those its and then put it them'.split(' '));
const breaks = new Set('for at with by when while as if is are was after before which who what how'.split(' '));

/** Without a word for the start, it is what comes before the target: convert yen to won. */
function findDirectionEnds(text: string): Ends {
  const from = new Set<string>();
  const to = new Set<string>();
  let since: string[] = [];
  let end: Set<string> | null = null;
  for (const word of splitWords(text)) {
    if (passedOver.has(word)) continue;
    if (starts.has(word)) end = from;
    else if (targets.has(word) || (places.has(word) && end === from)) {
      if (end !== from) for (const before of since) from.add(before);
      end = to;
    } else if (breaks.has(word) || places.has(word)) end = null;
    else {
      end?.add(word);
      since.push(word);
      continue;
    }
    since = [];
  }
  return { from, to };
}

/** A unit's request and its expected tools. */
export interface Expectation {
  readonly source: string;
  readonly chain: readonly string[];
}

/** A request and its expected tools. */
export interface ExpectedRequest {
  readonly text: string;
  readonly tools: readonly string[];
  /** Those of the text, if somebody has read them already: finding them is most of the cost of a comparison. */
  readonly entities?: Entities;
}

/** Whether two requests ask for the same, and what decided that. */
export type DuplicateVerdict =
  | { readonly duplicate: true; readonly reason: 'duplicate' }
  | { readonly duplicate: false; readonly reason: 'too-far' | 'other-tools-and-words' | 'another-action' }
  | {
      readonly duplicate: false;
      readonly reason: 'entity-differs';
      /** As written in one of the texts. */
      readonly entity: string;
    };

/** The thresholds above which two requests can mean the same. */
export interface DuplicateThresholds {
  /** For the mean of the vectors' cosine and the words' similarity; the two make different errors. */
  readonly meaning: number;
  /** Used instead for characters and pairs of them in Chinese, if the embedder does not know it. */
  readonly characters: number;
  /** Used instead for pairs of letters in other scripts than Latin and Chinese, if the embedder does not know them. */
  readonly letters: number;
  /** For the share of common words of requests that expect different tools. */
  readonly words: number;
}

/**
 * Calibrated on labelled pairs; a test calibrates again and compares. docs/measurements.md has precision and recall.
 */
export const duplicateThresholds: DuplicateThresholds = { meaning: 0.52, characters: 0.34, letters: 0.6, words: 0.6 };

/** What represents a unit: its first request and its chain. The other request says the same in other words. */
export const expectedRequestOfUnit = ({ source, chain }: Expectation): ExpectedRequest => ({
  text: source,
  tools: chain,
});

/**
 * Returns whether a candidate is a near-duplicate of a kept request: similar in meaning, with the same tools or mostly
 * the same words, for the same action and the same entities. The cosine alone confuses one file or city with another.
 * For a script without spaces an English embedder is useless (any two Chinese texts have cosine 1), so characters
 * decide.
 */
export function decideDuplicate(
  a: ExpectedRequest,
  b: ExpectedRequest,
  cosine: number | null,
  thresholds = duplicateThresholds,
): DuplicateVerdict {
  // The platform's word breaker may break a rare text differently the second time.
  if (a.text === b.text) return { duplicate: true, reason: 'duplicate' };
  const writing = chooseComparedWriting(a.text, b.text);
  const [left, right] = [getEntitiesOfRequest(a), getEntitiesOfRequest(b)];
  if (!isNearDuplicateInWritingSystem(writing, left, right, cosine, thresholds))
    return { duplicate: false, reason: 'too-far' };
  if (!hasSameTools(a.tools, b.tools) && commonWordShare(writing, a.text, b.text) < thresholds.words)
    return { duplicate: false, reason: 'other-tools-and-words' };
  if (
    hasOppositeAction(left.rest, right.rest) ||
    doBothAskDifferentQuestions(left.rest, right.rest) ||
    hasOppositeDirection(a.text, b.text)
  )
    return { duplicate: false, reason: 'another-action' };
  const items = [left, right].map(({ rest }) => contentItems[writing](rest));
  const [own = [], other = []] = items;
  // The alignment may depend on the order of the texts; the verdict must not.
  const entity =
    findDifferingEntityText({ text: a.text, entities: left }, { text: b.text, entities: right }) ??
    findReplacedPhrase(own, other, writing) ??
    findReplacedPhrase(other, own, writing);
  return entity === undefined
    ? { duplicate: true, reason: 'duplicate' }
    : { duplicate: false, reason: 'entity-differs', entity };
}

/** Returns what a request names. */
export const getEntitiesOfRequest = ({ text, entities }: ExpectedRequest): Entities =>
  entities ?? extractEntitiesAndRest(text);

/** Whether the cosine of two requests matters; in scripts that embedders may not know, their letters decide. */
export const doesCosineMatterForRequests = (a: ExpectedRequest, b: ExpectedRequest): boolean =>
  chooseComparedWriting(a.text, b.text) === 'latin';

/** What a text is about, in the pieces that are compared in order. */
const contentItems: Readonly<Record<Writing, (text: string) => string[]>> = {
  latin: contentWords,
  han: (text) => [...chineseContentCharacters(text)],
  other: contentWordsByLanguageRules,
};

const isNearDuplicateInWritingSystem = (
  writing: Writing,
  a: Entities,
  b: Entities,
  cosine: number | null,
  thresholds: DuplicateThresholds,
): boolean => {
  switch (writing) {
    case 'han':
      return characterSimilarity(a, b) >= thresholds.characters;
    case 'other':
      return letterSimilarity(a, b) >= thresholds.letters;
    case 'latin':
      return isNearByMeanOrWords(cosine, contentSimilarity(a, b), thresholds);
  }
};

const commonWordShare = (writing: Writing, a: string, b: string): number =>
  writing === 'other' ? jaccardOfWords(a, b, contentWordsByLanguageRules) : jaccardOfWords(a, b);

/** Without a cosine the words must decide alone, so the threshold is that of requests with different tools. */
const isNearByMeanOrWords = (
  cosine: number | null,
  content: number,
  { meaning, words }: DuplicateThresholds,
): boolean => (cosine === null ? content >= words : (cosine + content) / 2 >= meaning);
