import type { Writing } from './writing.ts';

/**
 * If two requests are nearly equal and differ in one place, the words there are what they are about, capitalized or
 * not: a letter about the heating, a letter about the deposit; 李娜在华为工作, 王芳在华为工作.
 */

/** Minimum similarity of two texts for a difference to change the subject rather than the wording. */
const alikeEnough: Readonly<Record<Writing, number>> = { latin: 0.6, han: 0.5, other: 0.5 };
/** In a text without spaces, a single character may be grammar. */
const alikeForCharacter = 0.85;
/** Longer texts are not aligned, because time and memory grow with the product of their lengths. */
const alignable = 1_000_000;
/** In words, or characters. */
const longest = 8;

/**
 * Returns what `a` has where `b` has something else, both in content words (in Chinese, characters); undefined if there
 * is nothing, or if the texts are worded differently.
 */
export function findReplacedPhrase(a: readonly string[], b: readonly string[], writing: Writing): string | undefined {
  const byCharacters = writing === 'han';
  if (a.length * b.length > alignable) return undefined;
  const differing = listDifferences(a, b);
  const kept = a.length - differing.reduce((sum, { own }) => sum + own.length, 0);
  const alike = (2 * kept) / Math.max(1, a.length + b.length);
  const joint = byCharacters ? '' : ' ';
  const swap = differing.find(({ own, other }) => {
    if (own.length === 0 || other.length === 0 || own.length > longest || other.length > longest) return false;
    // What appears elsewhere was moved, not swapped.
    const moved = byCharacters
      ? containsSequence(b, own) || containsSequence(a, other)
      : own.every((word) => b.includes(word)) || other.every((word) => a.includes(word));
    if (moved) return false;
    const character = byCharacters && (own.length === 1 || other.length === 1);
    return alike >= (character ? alikeForCharacter : alikeEnough[writing]);
  });
  return swap?.own.join(joint);
}

const containsSequence = (sequence: readonly string[], part: readonly string[]): boolean =>
  sequence.some((_, start) => part.every((item, offset) => sequence[start + offset] === item));

interface Difference {
  readonly own: readonly string[];
  readonly other: readonly string[];
}

/** Returns where two sequences differ along their longest common subsequence. */
function listDifferences(a: readonly string[], b: readonly string[]): Difference[] {
  const lengths = tabulateCommonSubsequenceLengths(a, b);
  const found: Difference[] = [];
  let own: string[] = [];
  let other: string[] = [];
  const endDifference = (): void => {
    if (own.length + other.length > 0) found.push({ own, other });
    own = [];
    other = [];
  };
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const mine = a[i];
    const theirs = b[j];
    if (mine !== undefined && mine === theirs) {
      endDifference();
      i += 1;
      j += 1;
    } else if (
      theirs === undefined ||
      (mine !== undefined && lcsLengthAt(lengths, i + 1, j) >= lcsLengthAt(lengths, i, j + 1))
    ) {
      if (mine !== undefined) own.push(mine);
      i += 1;
    } else {
      other.push(theirs);
      j += 1;
    }
  }
  endDifference();
  return found;
}

/** Computes the length of the longest common subsequence after each pair of positions. */
function tabulateCommonSubsequenceLengths(a: readonly string[], b: readonly string[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = lengths[i] ?? [];
    for (let j = b.length - 1; j >= 0; j -= 1)
      row[j] =
        a[i] === b[j]
          ? 1 + lcsLengthAt(lengths, i + 1, j + 1)
          : Math.max(lcsLengthAt(lengths, i + 1, j), lcsLengthAt(lengths, i, j + 1));
  }
  return lengths;
}

const lcsLengthAt = (lengths: readonly (readonly number[])[], i: number, j: number): number => lengths[i]?.[j] ?? 0;
