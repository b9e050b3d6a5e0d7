import { splitIdentifier } from './category.ts';
import {
  determiners,
  headOfObject,
  isObjectOf,
  leadingVerbs,
  lookingVerbs,
  neverChanged,
  nounLikeVerbs,
  onlyComputes,
  properties,
  supposingVerbs,
  sureVerbs,
  verbsThatNeedAnObject,
  wordsOf,
} from './english-verbs.ts';
import { findEastAsianVerbOrNull, findForeignVerbOrNull, foldName, foreignVerbOfNameOrNull } from './foreign-verbs.ts';

/** A verb by which a tool says that it changes something, and where it says it. */
export interface ChangingVerb {
  readonly verb: string;
  readonly where: 'name' | 'description';
}

/** What a tool says about itself in words. */
export interface WordedTool {
  /** Its name on its own server. */
  readonly name: string;
  readonly description?: string | undefined;
}

/**
 * Returns the verb by which the name of a tool, or the beginning of its description, says that it writes, sends, destroys or spends; null
 * if it says nothing of the kind. `get_deleted_items`, `list_sent_mails` and `preview_delete` only read.
 */
export const findChangingVerbOrNull = ({ name, description = '' }: WordedTool): ChangingVerb | null => {
  const words = splitIdentifier(foldName(name)).slice(0, maxWordsOfName);
  const sentences = firstSentences(description);
  const reading = readName(words, sentences[0] ?? []);
  const named = reading.verb ?? findEastAsianVerbOrNull(name);
  if (named !== null) return { verb: named, where: 'name' };
  if (reading.supposes) return null;
  const described = findVerbInDescriptionOrNull(sentences, new Set(words), reading.looks);
  const foreign = described ?? findForeignVerbInDescriptionOrNull(sentences[0] ?? [], description);
  return foreign === null ? null : { verb: foreign, where: 'description' };
};

/** Names may have any length. */
const maxWordsOfName = 30;

/** Words after which another verb follows. */
const joining = wordsOf('and or then');

/** What the verbs of a name say. */
interface NameReading {
  /** The verb that changes something; null if there is none. */
  readonly verb: string | null;
  /** Whether its first verb looks at things. */
  readonly looks: boolean;
  /** Whether its first verb says that a change is only spoken of. */
  readonly supposes: boolean;
}

/** Reads the verbs of a name: after one that looks at things, or supposes a change, only another that is joined to it counts. */
function readName(words: readonly string[], sentence: readonly string[]): NameReading {
  let looks = false;
  let supposes = false;
  for (const [index, word] of words.entries()) {
    const isJoined = index > 0 && joining.has(words[index - 1] ?? '');
    if ((looks || supposes) && !isJoined) continue;
    if (isChangingInName(words, index, sentence)) return { verb: word, looks, supposes };
    if (supposingVerbs.has(word) && !hasLeadingVerbBefore(words, index)) supposes = true;
    if (lookingVerbs.has(word) || foreignVerbOfNameOrNull(word) === 'looks') looks = true;
  }
  return { verb: null, looks, supposes };
}

const hasLeadingVerbBefore = (words: readonly string[], index: number): boolean =>
  words.slice(0, index).some((word) => leadingVerbs.has(word) || nounLikeVerbs.has(word));

function isChangingInName(words: readonly string[], index: number, sentence: readonly string[]): boolean {
  const [word = '', next = ''] = words.slice(index);
  const rest = words.slice(index + 1);
  if (foreignVerbOfNameOrNull(word) === 'changes') return true;
  // In a name the third person is a plural more often: `available_updates`.
  if (sureVerbs.has(word) && (sureVerbs.get(word) === word || (index === 0 && rest.length > 0))) {
    if (word.endsWith('ing') || neverChanged.has(next) || isPreviewed(rest)) return false;
    if (word === 'manage' && lookingVerbs.has(rest.at(-1) ?? '')) return false;
    if (nounsToo.has(word) && index > 0 && (lookingVerbs.has(next) || properties.has(next))) return false;
    const [told = ''] = withoutIntroduction(sentence);
    const isNoun =
      sureVerbs.get(word) !== word || (nounsAtTheStart.has(word) && told !== '' && imperativeOf(told) !== word);
    if (next === 'available' || (isNoun && (properties.has(next) || lookingVerbs.has(next)))) return false;
    return !computes(word, rest, sentence);
  }
  if (returnsText(sentence) && leadingVerbs.has(word)) return false;
  const isFirst = words.slice(0, index).every((each) => manners.has(each)) || joining.has(words[index - 1] ?? '');
  if (isFirst && leadingVerbs.get(word) === word && rest.length > 0) {
    if (rest.some((each) => lookingVerbs.has(each)) || computes(word, rest, sentence)) return false;
    const [told = ''] = withoutIntroduction(sentence);
    return (
      settingVerbs.has(word) ||
      !(properties.has(next) || lookingVerbs.has(told) || supposingVerbs.has(told) || generating.has(told))
    );
  }
  if (nounLikeVerbs.get(word) !== word || !isObjectOf(word, next)) return false;
  return isFirst ? !properties.has(rest.at(-1) ?? '') : phrasalVerbs.has(word) && rest.length === 1;
}

/** "Returns a text with all matches replaced" makes a text and changes none. */
const returnsText = (sentence: readonly string[]): boolean => {
  const [verb = '', article = '', ...rest] = withoutIntroduction(sentence);
  return (
    /^(?:returns?|gives?|computes?)$/.test(verb) &&
    determiners.has(article) &&
    rest.slice(0, 2).some((word) => /^(?:text|string|copy|number|vector|matrix|colou?r|pattern|expression)$/.test(word))
  );
};

/** Words before the verb of a name. */
const manners = wordsOf('bulk batch multi auto force');
const generating = wordsOf('generate generates');
/** Verbs that a preposition completes: they end a name too, as in `lamp_turn_on`. */
const phrasalVerbs = wordsOf('turn switch power shut check opt cherry roll hang tear spin');
/** Sure verbs that are nouns as well, and not in leading place: `release_update_get`. */
const nounsToo = wordsOf('update edit save kill write send refund mute cancel');
const nounsAtTheStart = wordsOf('refund send cancel');
/** Verbs of which properties are the object too: `set_status`, `clear_history`. */
const settingVerbs = wordsOf(
  'set reset clear put add move mark replace rotate drop patch archive increment decrement swap',
);

const isPreviewed = (rest: readonly string[]): boolean =>
  ['preview', 'simulation', 'dryrun'].includes(rest.at(-1) ?? '');

/** Returns whether the verb of a name only computes, by the name or by what the description says of the same verb. */
const computes = (word: string, rest: readonly string[], sentence: readonly string[]): boolean => {
  const verb = imperativeOf(word);
  const [first = '', ...following] = withoutIntroduction(sentence);
  if (imperativeOf(first) === verb || (rest.length === 0 && first !== ''))
    return onlyComputes(verb, following, following.join(' '));
  return onlyComputes(verb, rest, `${rest.join(' ')} ${following.join(' ')}`) || onlyComputes(verb, rest, '');
};

const imperativeOf = (word: string): string =>
  sureVerbs.get(word) ?? leadingVerbs.get(word) ?? nounLikeVerbs.get(word) ?? word;

/** Returns the words of the first two sentences of a description in small letters; commas and the like are words. */
const firstSentences = (description: string): string[][] =>
  description
    .normalize('NFC')
    .slice(0, 1_000)
    .trim()
    .split(/(?<=[.!?])\s+|\n+|[。！？]/u)
    .map(
      (sentence) =>
        sentence
          .toLowerCase()
          .replace(/^(\p{L}+) \([^()]{1,40}\)/u, '$1')
          .replaceAll(/\b(re|un|de)-(?=\p{L})/gu, '$1')
          .match(/[\p{L}\p{N}'’_]+|[,;:(—–]/gu) ?? [],
    )
    .map((words) => words.map((word) => word.replaceAll('’', "'")))
    .filter((words) => words.length > 0)
    .slice(0, 2)
    .map((words) => words.slice(0, 60));

/** Words before the verb of a description. */
const introductions = wordsOf(
  'this tool a an the function that which to use can will lets allows allow you it for used is tools api endpoint write destructive action now agent model user agents users be help helps',
);
const isAdverb = (word: string): boolean => word.endsWith('ly') && imperativeOf(word) === word && !verbsInLy.has(word);
const verbsInLy = wordsOf('apply reply');
/** Words that belong to the introduction in "Use when you need to" and "Enables agents to". */
const introductionsOfUse = wordsOf('when whenever if need needs want wants wish enable enables');
const withoutIntroduction = (words: readonly string[]): string[] => {
  const [first = ''] = words;
  const isOfUse =
    first === 'use' || words.slice(0, 6).some((word, at) => word === 'to' && enablesOthers(words.slice(0, at)));
  const start = words.findIndex(
    (word) => !introductions.has(word) && !isAdverb(word) && !(isOfUse && introductionsOfUse.has(word)),
  );
  return start < 0 ? [] : words.slice(start);
};
const enablesOthers = (words: readonly string[]): boolean =>
  words.some((word) => word === 'enable' || word === 'enables') &&
  words.every((word) => introductions.has(word) || introductionsOfUse.has(word));

/** Words after a verb that deny it. */
const nothing = wordsOf('nothing no none');
/** Words before a verb that deny it, or say when, by whom or whether it is done. */
const supposing = wordsOf(
  "not never no without cannot can't doesn't don't won't would could should may might if when whether before after how that which who what can must be where until unless than",
);
/** Returns whether "to" begins what something is for: "a token to read and update the record". */
const isPurpose = (words: readonly string[], at: number): boolean => {
  const [word = '', next = ''] = words.slice(at, at + 2);
  return word === 'to' && (lookingVerbs.has(next) || sureVerbs.has(next) || supposingVerbs.has(next));
};
const itself = wordsOf('it them him her');
/** Words of relative clauses, which end before a verb with "it": "Finds the order that matches and cancels it". */
const relating = wordsOf('that which who if when where');

/** Returns the English verb by which the first two sentences of a description say that the tool changes something. */
function findVerbInDescriptionOrNull(
  sentences: readonly string[][],
  named: ReadonlySet<string>,
  nameLooks: boolean,
): string | null {
  for (const [index, words] of sentences.entries()) {
    const found =
      (index === 0 ? findLeadingVerbOrNull(words, named, nameLooks) : null) ??
      (index === 0 || startsWithTool(words) ? findJoinedVerbOrNull(words, named) : null) ??
      findAnnouncedVerbOrNull(words);
    if (found !== null) return found;
  }
  return null;
}

const startsWithTool = ([first = '', second = '']: readonly string[]): boolean =>
  ['this', 'it', 'the'].includes(first) && (first === 'it' || second === 'tool');

function findLeadingVerbOrNull(
  words: readonly string[],
  named: ReadonlySet<string>,
  nameLooks: boolean,
): string | null {
  const [first = '', ...following] = withoutIntroduction(words);
  const isWeak = nameLooks && !determiners.has(following[0] ?? '');
  if (!isWeak && isChange(first, following, named)) return first;
  const colon = words.findIndex((word) => /^[:—–]$/.test(word));
  // "Makes a path absolute: appends it to a folder" has said what it does before the colon.
  if (determiners.has(following[0] ?? '') && /[^s]s$/.test(first)) return null;
  if (colon < 1 || colon > 5 || nameLooks || words.slice(0, colon).some((word) => labels.has(word))) return null;
  const [label = '', ...rest] = withoutIntroduction(words.slice(colon + 1));
  return isChange(label, rest, named) && determiners.has(rest[0] ?? '') ? label : null;
}

/** Labels of what is not an action of the tool. */
const labels = wordsOf('example examples returns return note notes args see warning use list get tip e.g.');

/** Returns the verb that `and`, `or`, `then` or a comma joins to the first one, in the same form. */
function findJoinedVerbOrNull(sentence: readonly string[], named: ReadonlySet<string>): string | null {
  const words = withoutIntroduction(sentence);
  const [first = ''] = words;
  if (supposing.has(first)) return null;
  const isThirdPerson = first.endsWith('s') && !first.endsWith('ss');
  for (const [index, word] of words.entries()) {
    const isComma = word === ',';
    if (index === 0 || (!joining.has(word) && !isComma)) continue;
    const at = words.findIndex(
      (each, place) => place > index && !isAdverb(each) && !joining.has(each) && each !== 'also',
    );
    const verb = words[at] ?? '';
    const [next = '', ...more] = words.slice(at + 1);
    if ((imperativeOf(verb) === verb) === isThirdPerson || verb.endsWith('ing')) continue;
    const isDirect = index <= 2 && !isComma && !properties.has(next) && lookingVerbs.has(first) && sureVerbs.has(verb);
    if (
      !determiners.has(next) &&
      !isDirect &&
      !(sureVerbs.has(verb) && isThirdPerson && !isComma && /(?:s|ed)$/.test(next))
    )
      continue;
    const guards = words.slice(0, index).filter((each, place) => supposing.has(each) || isPurpose(words, place));
    const isExcused = guards.some((each) => !itself.has(next) || !relating.has(each));
    if (isExcused || (supposingVerbs.has(first) && !itself.has(next))) continue;
    if (isChange(verb, [next, ...more], named)) return verb;
  }
  return null;
}

/** Participles by which a description announces what a call will do. */
const announced = wordsOf(
  'deleted removed erased purged wiped destroyed overwritten cancelled canceled charged refunded billed debited terminated deactivated disabled revoked published deployed emailed notified',
);
const strongAdverbs = wordsOf('permanently irreversibly irrevocably immediately');

/** Returns the verb of "will be deleted", "permanently removes" or "this will charge the card". */
function findAnnouncedVerbOrNull(words: readonly string[]): string | null {
  const [first = ''] = withoutIntroduction(words);
  if (lookingVerbs.has(first) || supposingVerbs.has(first)) return null;
  for (const [index, word] of words.entries()) {
    const before = words.slice(0, index);
    if (
      before.some((each, at) => supposing.has(each) || nothing.has(each) || waiting.has(each) || isPurpose(words, at))
    )
      return null;
    const rest = words.slice(index + 1).filter((each) => !isAdverb(each) && each !== 'also' && each !== 'then');
    const [next = '', after = '', ...more] = rest;
    if (word === 'will' && next === 'be' && announced.has(after) && !more.some((each) => waiting.has(each)))
      return after;
    if (word === 'will' && agents.has(before.at(-1) ?? '') && isChange(next, [after, ...more], new Set())) return next;
    if (
      strongAdverbs.has(word) &&
      sureVerbs.has(next) &&
      !next.endsWith('ing') &&
      isChange(next, [after, ...more], new Set())
    )
      return next;
  }
  return null;
}

/** What a description calls the tool or the call. */
const agents = wordsOf('this it which tool call action operation');
/** Words by which something else than the call makes a change. */
const waiting = wordsOf('days hours expire expires later retention period deprecated version release future');

/** Returns whether a word, before others, is a verb that changes something. */
function isChange(word: string, following: readonly string[], named: ReadonlySet<string>): boolean {
  const [next = ''] = following;
  if (nothing.has(next)) return false;
  const verb = imperativeOf(word);
  if (verb === 'add' && next === 'up') return false;
  if (onlyComputes(verb, following, following.join(' '))) return false;
  if (sureVerbs.has(word)) return !ofNouns.has(next) && !neverChanged.has(next);
  if (!leadingVerbs.has(word) && !nounLikeVerbs.has(word)) return false;
  const head = headOfObject(following);
  if (nounLikeVerbs.has(word) && (isObjectOf(verb, head) || isObjectOf(verb, singular(head)) || isObjectOf(verb, next)))
    return determiners.has(next) || named.has(verb) || word !== verb || isObjectOf(verb, next) || seldomNouns.has(verb);
  if (verbsThatNeedAnObject.has(verb)) return false;
  if (verb === 'execute') return determiners.has(next) && !queried.has(head);
  if (determiners.has(next) || /^\d/.test(next)) return true;
  const isWord = /^\p{L}{2,}$/u.test(next) && !lookingVerbs.has(next);
  if (plainLeaders.has(verb) && isWord && !properties.has(next)) return true;
  return named.has(verb) && isWord && (!properties.has(next) || (leadingVerbs.has(word) && directions.has(next)));
}

/** What is executed without a change. */
const queried = wordsOf(
  'query queries search searches request requests select check calculation expression test tests analysis lookup prompt formula benchmark aggregation function',
);
const directions = wordsOf('from to');
/** Verbs that begin a sentence without an article too: "Move files". */
const plainLeaders = wordsOf('add move replace install reset put clear rotate stage unstage apply');
/** Verbs before an object of theirs that are verbs there without an article too: "Run JavaScript code". */
const seldomNouns = wordsOf('run exec execute invoke start copy duplicate import');
const singular = (word: string): string => word.replace(/s$/, '');
/** Words before which a form of a sure verb is a noun: "Updates of a package". */
const ofNouns = wordsOf('of available were was are is');

/** Returns the verb of another language in the first sentence. */
const findForeignVerbInDescriptionOrNull = (words: readonly string[], description: string): string | null =>
  findForeignVerbOrNull(words.flatMap((word) => (/^[,;:(—–]$/.test(word) ? [] : word.split("'")))) ??
  findEastAsianVerbOrNull(
    description
      .slice(0, 1_000)
      .trim()
      .split(/[.。！？\n]/u, 1)[0] ?? '',
  );
