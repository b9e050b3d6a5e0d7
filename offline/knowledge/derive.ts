import { readFactbookPassages } from './factbook.ts';
import { selectPassageSynsets } from './named.ts';
import { formatPassageText, type Passage } from './passage.ts';
import { readWordNetNouns } from './wordnet.ts';

/** Returns every passage from the packages, deterministically. */
export const derivePassages = (): Passage[] => {
  const wordnet = readWordNetNouns();
  const fromWordNet = selectPassageSynsets(wordnet).map(({ offset, words, gloss }) => ({
    id: `wordnet:${offset}-n`,
    text: formatPassageText(words.join(', '), gloss),
    source: `WordNet ${wordnet.version}, ${words[0] ?? ''}, noun`,
    licence: 'WordNet License, Princeton University',
  }));
  return [...fromWordNet, ...readFactbookPassages()];
};
