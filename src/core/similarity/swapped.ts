/**
 * Where two requests say nearly the same and differ in one place, the words of that place are what they are about, whether a
 * capital marks them or not: a letter about the heating, a letter about the deposit; 李娜在华为工作, 王芳在华为工作.
 */

/** How alike two texts have to be for a difference to be another matter and not another wording. */
const alikeEnough = { words: 0.6, characters: 0.5 };
/** A single character in a text without spaces may be grammar. */
const alikeForCharacter = 0.85;
/** Longer texts are not aligned: it takes time and memory by the product of their lengths. */
const alignable = 1_000_000;
/** In words, or characters. */
const longest = 8;

/**
 * What `a` says in whose place `b` says something else, both as the words (or the characters) that say something; undefined
 * where there is none, or where the texts are worded apart.
 */
export function swapped(a: readonly string[], b: readonly string[], byCharacters: boolean): string | undefined {
  if (a.length * b.length > alignable) return undefined;
  const differing = differences(a, b);
  const kept = a.length - differing.reduce((sum, { own }) => sum + own.length, 0);
  const alike = (2 * kept) / Math.max(1, a.length + b.length);
  const joint = byCharacters ? '' : ' ';
  const swap = differing.find(({ own, other }) => {
    if (own.length === 0 || other.length === 0 || own.length > longest || other.length > longest) return false;
    // What stands elsewhere was moved, not swapped.
    const moved = byCharacters
      ? holds(b, own) || holds(a, other)
      : own.every((word) => b.includes(word)) || other.every((word) => a.includes(word));
    if (moved) return false;
    const character = byCharacters && (own.length === 1 || other.length === 1);
    return alike >= (character ? alikeForCharacter : alikeEnough[byCharacters ? 'characters' : 'words']);
  });
  return swap?.own.join(joint);
}

const holds = (sequence: readonly string[], part: readonly string[]): boolean =>
  sequence.some((_, start) => part.every((item, offset) => sequence[start + offset] === item));

interface Difference {
  readonly own: readonly string[];
  readonly other: readonly string[];
}

/** Where two sequences differ along their longest common subsequence. */
function differences(a: readonly string[], b: readonly string[]): Difference[] {
  const lengths = commonLengths(a, b);
  const found: Difference[] = [];
  let own: string[] = [];
  let other: string[] = [];
  const close = (): void => {
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
      close();
      i += 1;
      j += 1;
    } else if (theirs === undefined || (mine !== undefined && at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      if (mine !== undefined) own.push(mine);
      i += 1;
    } else {
      other.push(theirs);
      j += 1;
    }
  }
  close();
  return found;
}

/** The length of the longest common subsequence of what follows each pair of places. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = lengths[i] ?? [];
    for (let j = b.length - 1; j >= 0; j -= 1)
      row[j] = a[i] === b[j] ? 1 + at(lengths, i + 1, j + 1) : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
  }
  return lengths;
}

const at = (lengths: readonly (readonly number[])[], i: number, j: number): number => lengths[i]?.[j] ?? 0;
