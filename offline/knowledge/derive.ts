import { factbookPassages } from './factbook.ts';
import { namedSynsets } from './named.ts';
import { textOf, type Passage } from './passage.ts';
import { readWordNet } from './wordnet.ts';

/** Returns every passage from the packages, deterministically. */
export const derivePassages = (): Passage[] => {
  const wordnet = readWordNet();
  const fromWordNet = namedSynsets(wordnet).map(({ offset, words, gloss }) => ({
    id: `wordnet:${offset}-n`,
    text: textOf(words.join(', '), gloss),
    source: `WordNet ${wordnet.version}, ${words[0] ?? ''}, noun`,
    licence: 'WordNet License, Princeton University',
  }));
  return [...fromWordNet, ...factbookPassages()];
};
