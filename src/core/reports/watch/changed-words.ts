import { alignCallsWithChain } from '#core/traces/align-chain.ts';
import { nameHiddenCharacters } from '#core/values/hidden-characters.ts';

/** A stretch of words that both texts have, that only the text before has, or only the one now. */
export type WordsPart = readonly [kind: 'same' | 'gone' | 'new', text: string];

/** Pairs of words that are compared, at most; beyond it the whole text counts as changed. */
const mostPairs = 1_000_000;

/** Returns a text before and now as one: all its words in their order, by whether they stayed, are gone, or are new. Hidden characters are named. */
export function listChangedWords(before: string, now: string): WordsPart[] {
  const [old, fresh] = [splitIntoWords(before), splitIntoWords(now)];
  if (old.length * fresh.length > mostPairs)
    return [
      ['gone', old.join('')],
      ['new', fresh.join('')],
    ];
  const parts: WordsPart[] = [];
  for (const { expected, call } of alignCallsWithChain(old, fresh)) {
    const kind = expected === null ? 'new' : call === null ? 'gone' : 'same';
    const text = expected ?? fresh[call ?? 0] ?? '';
    const last = parts.at(-1);
    if (last?.[0] === kind) parts[parts.length - 1] = [kind, last[1] + text];
    else parts.push([kind, text]);
  }
  return parts;
}

/** Words, each with the space before it, so that they join to the text. */
const splitIntoWords = (text: string): readonly string[] => nameHiddenCharacters(text).match(/\s*\S+|\s+$/gu) ?? [];
