import type { FoundPassage } from '#core/similarity/knowledge/passage-record.ts';
import type { FactUse } from './answers.ts';
import { normalizeCaseAndSpace } from '#core/similarity/plain-text.ts';
import type { Unit } from './unit.ts';

/** The lowest relevance at which the writer may use a passage. Source: the prompts in appendix E of the paper (0.9). */
export const usableRelevance = 0.9;

/** A passage in which a pair was grounded, with what it settles. */
export interface FactUsed extends FoundPassage {
  readonly relevance: number;
  readonly name: string;
  readonly settles: string;
  readonly quote: string;
}

type Claimed = Pick<Unit, 'facts'> & {
  readonly pair: { readonly source: string; readonly followUp: string; readonly facts: readonly FactUse[] };
};

/**
 * Returns the facts that the writer says it used, at the required relevance, with the number of their passage (from 1).
 * Their words are not checked.
 */
export function listClaimedFacts({ facts, pair }: Claimed): (FactUsed & { readonly passage: number })[] {
  return pair.facts.flatMap(({ passage, relevance, use }) => {
    const found = facts[passage - 1];
    return found === undefined || use === null || relevance < usableRelevance
      ? []
      : [{ ...found, passage, relevance, ...use }];
  });
}

/**
 * Returns what is wrong with a claim as far as words can show, or null. Both requests must contain the name, the
 * passage must contain the quote, and no number or name may be settled that the passage does not have. The similarity
 * of vectors does not matter: a false statement is as similar to a passage as a true one.
 */
export function findClaimProblemOrNull(
  claim: FactUsed,
  requests: { readonly source: string; readonly followUp: string },
): string | null {
  const { name, text, quote, settles } = claim;
  if (!containsWholeWords(requests.source, name) || !containsWholeWords(requests.followUp, name))
    return `not both requests say "${name}"`;
  if (!containsWholeWords(text, quote)) return 'the passage does not say what is quoted from it';
  if (!containsWholeWords(text, name)) return `the passage is not about "${name}"`;
  const unknown = listNumbersAndNames(settles).find((word) => !containsWholeWords(text, word));
  return unknown === undefined ? null : `the passage does not have "${unknown}"`;
}

/**
 * Returns the facts that count as used in a unit: claimed at the required relevance, valid by their words, and needed
 * by the requests according to the critic's last audit.
 */
export function listUsedFacts(unit: Unit): FactUsed[] {
  const { pair } = unit;
  const audit = unit.audits.at(-1);
  if (pair === null || audit === undefined) return [];
  const needed = new Set(audit.facts.filter(({ verdict }) => verdict === 'needed').map(({ passage }) => passage));
  return listClaimedFacts({ facts: unit.facts, pair })
    .filter((claim) => needed.has(claim.passage) && findClaimProblemOrNull(claim, pair) === null)
    .map(({ id, text, source, licence, score, relevance, name, settles, quote }) => ({
      id,
      text,
      source,
      licence,
      score,
      relevance,
      name,
      settles,
      quote,
    }));
}

const letterOrDigit = /[\p{L}\p{M}\p{N}]/u;

/** Returns whether a text contains some words as whole words: "Oslo" is not in "Osloer", nor 19 in 1912 or in 1.19. */
function containsWholeWords(text: string, words: string): boolean {
  const [whole, wanted] = [normalizeCaseAndSpace(text), normalizeCaseAndSpace(words)];
  if (wanted === '') return false;
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    if (isWordBoundary(whole, at) && isWordBoundary(whole, at + wanted.length)) return true;
  }
  return false;
}

/** Returns whether neither a word nor a number continues across a position in a text. */
function isWordBoundary(text: string, at: number): boolean {
  const [before, after] = [text.slice(0, at), text.slice(at)];
  if (letterOrDigit.test(before.slice(-1)) && letterOrDigit.test(after.slice(0, 1))) return false;
  return !(/\d[.,]?$/.test(before) && /^[.,]?\d/.test(after));
}

/**
 * Numbers with their suffixes (4th), and names as far as capitals show them; the first word of a sentence is always
 * capitalized.
 */
const listNumbersAndNames = (text: string): string[] =>
  [...text.matchAll(/(?<!^)(?<![.!?]\s)(?<![\p{L}\p{M}\p{N}])\p{Lu}[\p{L}\p{M}\p{N}'-]*|\d+(?:[.,]\d+)*\p{L}*/gu)].map(
    ([word]) => word,
  );
