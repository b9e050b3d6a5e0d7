import {
  asksAnother,
  contentCharacters,
  contentWords,
  saysOpposite,
  sharedCharacters,
  sharedContent,
} from './content.ts';
import { differingEntity, entitiesOf } from './entities.ts';
import { isUnspaced, wordJaccard } from './likeness.ts';
import { reversed } from './reversed.ts';
import { sameTools } from './same-tools.ts';
import { swapped } from './swapped.ts';

/** What a unit asks for and the tools that it expects for it. */
export interface Expectation {
  readonly source: string;
  readonly chain: readonly string[];
}

/** A request and the tools that it expects. */
export interface ExpectedRequest {
  readonly text: string;
  readonly tools: readonly string[];
}

/** Whether two requests ask for the same, and what decided. */
export type DuplicateVerdict =
  | { readonly duplicate: true; readonly reason: 'duplicate' }
  | { readonly duplicate: false; readonly reason: 'too-far' | 'other-tools-and-words' | 'another-deed' }
  | {
      readonly duplicate: false;
      readonly reason: 'entity-differs';
      /** As one of the texts has it. */
      readonly entity: string;
    };

/** From where on two requests can mean the same. */
export interface DuplicateThresholds {
  /** The mean of the cosine of their vectors and of the likeness of their words: each errs where the other does not. */
  readonly meaning: number;
  /** Likeness by characters and pairs of them in its place, where the embedder does not know the script. */
  readonly characters: number;
  /** Share of all words of requests that expect other tools. */
  readonly words: number;
}

/** Calibrated on labelled pairs; a test calibrates again and compares. docs/measurements.md tells what they are worth. */
export const duplicateThresholds: DuplicateThresholds = { meaning: 0.52, characters: 0.34, words: 0.6 };

/** What stands for a unit: its first request, and its chain. The other request says the same in other words. */
export const expectedBy = ({ source, chain }: Expectation): ExpectedRequest => ({
  text: source,
  tools: chain,
});

/**
 * Whether a candidate is a near-duplicate of a request that is kept: near in meaning, with the same tools or much the same
 * words, after the same deed, and about the same things. The cosine alone takes another file or city for the same, and of a
 * script without spaces an embedder for English knows nothing (any two Chinese texts have cosine 1): there characters decide.
 */
export function decideDuplicate(
  a: ExpectedRequest,
  b: ExpectedRequest,
  cosine: number | null,
  thresholds = duplicateThresholds,
): DuplicateVerdict {
  const byCharacters = isUnspaced(a.text) || isUnspaced(b.text);
  const [left, right] = [entitiesOf(a.text), entitiesOf(b.text)];
  const near = byCharacters
    ? sharedCharacters(left, right) >= thresholds.characters
    : isNear(cosine, sharedContent(left, right), thresholds);
  if (!near) return { duplicate: false, reason: 'too-far' };
  if (!sameTools(a.tools, b.tools) && wordJaccard(a.text, b.text) < thresholds.words)
    return { duplicate: false, reason: 'other-tools-and-words' };
  if (saysOpposite(left.rest, right.rest) || asksAnother(left.rest, right.rest) || reversed(a.text, b.text))
    return { duplicate: false, reason: 'another-deed' };
  const said = (text: string) => (byCharacters ? [...contentCharacters(text)] : contentWords(text));
  const entity = differingEntity(a.text, b.text) ?? swapped(said(left.rest), said(right.rest), byCharacters);
  return entity === undefined
    ? { duplicate: true, reason: 'duplicate' }
    : { duplicate: false, reason: 'entity-differs', entity };
}

/** Where no cosine is known, the words have to say all: as many as requests that expect other tools must share. */
const isNear = (cosine: number | null, content: number, { meaning, words }: DuplicateThresholds): boolean =>
  cosine === null ? content >= words : (cosine + content) / 2 >= meaning;
