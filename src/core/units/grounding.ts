import type { Passage } from '../ports.ts';
import type { FactUse } from './answers.ts';
import type { GroundingCounts } from '../exploration/reading-record.ts';
import { plainText } from './plain-text.ts';
import type { Unit } from './unit.ts';

/** The relevance from which the writer may use a passage. Source: section 4.2 of the paper (0.9). */
export const usableRelevance = 0.9;

/** A passage that a pair was grounded in, with what it settles. */
export interface FactUsed extends Passage {
  readonly relevance: number;
  readonly name: string;
  readonly settles: string;
  readonly quote: string;
}

type Claimed = Pick<Unit, 'facts'> & {
  readonly pair: { readonly source: string; readonly followUp: string; readonly facts: readonly FactUse[] };
};

/** The facts that the writer says it used, by the place of their passage, whatever comes of checking them. */
export function factsClaimed({ facts, pair }: Claimed): (FactUsed & { readonly passage: number })[] {
  return pair.facts.flatMap(({ passage, relevance, use }) => {
    const found = facts[passage - 1];
    return found === undefined || use === null || relevance < usableRelevance
      ? []
      : [{ ...found, passage, relevance, ...use }];
  });
}

/**
 * What is wrong with a claim as far as words can tell, or null: both requests must say the name, the passage must say the quote,
 * and no number or name may be settled that the passage does not have. Nearness of vectors plays no part: a false statement lies
 * as near to a passage as a true one.
 */
export function objectionTo(
  claim: FactUsed,
  requests: { readonly source: string; readonly followUp: string },
): string | null {
  const name = plainText(claim.name);
  const passage = plainText(claim.text);
  if (!plainText(requests.source).includes(name) || !plainText(requests.followUp).includes(name))
    return `not both requests say "${claim.name}"`;
  if (!passage.includes(plainText(claim.quote))) return 'the passage does not say what is quoted from it';
  if (!passage.includes(name)) return `the passage is not about "${claim.name}"`;
  const foreign = particularsOf(claim.settles).find((word) => !passage.includes(plainText(word)));
  return foreign === undefined ? null : `the passage does not have "${foreign}"`;
}

/**
 * The facts that count as used in a unit: claimed at the required relevance, sound by their words, and by the critic's last audit
 * such that the requests would be ambiguous without them.
 */
export function factsUsed(unit: Unit): FactUsed[] {
  const { pair } = unit;
  const audit = unit.audits.at(-1);
  if (pair === null || audit === undefined) return [];
  const needed = new Set(audit.facts.filter(({ verdict }) => verdict === 'needed').map(({ passage }) => passage));
  return factsClaimed({ facts: unit.facts, pair })
    .filter((claim) => needed.has(claim.passage) && objectionTo(claim, pair) === null)
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

/** Numbers, and names as far as capitals tell; the first word of a sentence has one anyway. */
const particularsOf = (text: string): string[] =>
  [...text.matchAll(/(?<!^)(?<![.!?]\s)\b\p{Lu}[\p{L}\p{M}'-]*|\d+(?:[.,]\d+)*/gu)].map(([word]) => word);

/** What grounding came to in some units. */
export const groundingOf = (units: readonly Unit[]): GroundingCounts => ({
  searched: units.filter(({ grounding }) => grounding.state !== 'none').length,
  grounded: units.filter((unit) => factsUsed(unit).length > 0).length,
  failed: units.filter(({ grounding }) => grounding.state === 'failed').length,
});

export const noGrounding: GroundingCounts = { searched: 0, grounded: 0, failed: 0 };

export const addGrounding = (one: GroundingCounts, other: GroundingCounts): GroundingCounts => ({
  searched: one.searched + other.searched,
  grounded: one.grounded + other.grounded,
  failed: one.failed + other.failed,
});
