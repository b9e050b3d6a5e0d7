import type { Unit } from '#core/units/unit.ts';
import { listClaimedFacts, type FactUsed } from '#core/units/grounding.ts';
import { cards } from '../../offline/cards/index.ts';
import { readEmbeddedPassages, type EmbeddedPassage } from '../../offline/knowledge/passages.ts';
import type { Embedder } from '../../offline/embedder/embedder.ts';
import { makeDice } from '../../offline/models/seeded.ts';
import {
  auditForm,
  fillIn,
  pairAnswerForm,
  refinementForm,
  scenarioForm,
  toolOf,
  type Audit,
  type ListedTool,
  type WrittenPair,
} from './models-support.ts';

/** The tools of all real cards. */
export const catalog = [...cards.values()].map(toolOf);

/** The three passages that are nearest to a question. */
export type Search = (question: string) => Promise<EmbeddedPassage[]>;

/** A search as the product does it: by the cosine of the shipped vectors. */
export const searchWith = async (embedder: Embedder): Promise<Search> => {
  const passages = (await Array.fromAsync(readEmbeddedPassages())).map((passage) => {
    const length = Math.hypot(...passage.vector);
    return { passage, unit: Float64Array.from(passage.vector, (value) => value / length) };
  });
  return async (question) => {
    const [vector = new Float32Array()] = await embedder.embed([question]);
    return passages
      .map(({ passage, unit }) => ({ passage, score: dot(unit, vector) }))
      .toSorted((one, other) => other.score - one.score)
      .slice(0, 3)
      .map(({ passage }) => passage);
  };
};

const dot = (one: Float64Array, other: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
};

/** A unit from its task to its audits; `facts` as the product keeps them. */
export interface WrittenUnit {
  readonly seed: number;
  readonly candidates: readonly ListedTool[];
  readonly factQuery: string;
  readonly request: string;
  readonly facts: Unit['facts'];
  readonly pair: WrittenPair;
  readonly audit: Audit;
}

/** What the prompts show of the facts that a pair claims. */
export const claimsIn = (unit: { facts: Unit['facts']; pair: WrittenPair }): (FactUsed & { passage: number })[] =>
  listClaimedFacts(unit);

export const auditOf = (tools: readonly ListedTool[], pair: WrittenPair, facts: Unit['facts'], seed: number): Audit =>
  auditForm.parse(fillIn(cards, 'offline-critic', 'audit', { tools, pair, facts: claimsIn({ facts, pair }) }, seed));

/** Writes a unit; null if the candidates make no task. */
export const writeUnit = async (seed: number, search: Search): Promise<WrittenUnit | null> => {
  const dice = makeDice('grounded', seed);
  const candidates = dice.shuffle(catalog).slice(0, 3 + dice.below(4));
  const known: string[][] = [];
  const { scenario } = scenarioForm.parse(
    fillIn(cards, 'offline-writer', 'scenario', { tools: candidates, known }, seed),
  );
  if (scenario === null) return null;
  const facts = (await search(scenario.factQuery)).map(({ id, text, source, licence }) => ({
    id,
    text,
    source,
    licence,
    score: 0,
  }));
  const shown = facts.map(({ text, source }, place) => ({ passage: place + 1, text, source }));
  const { pair } = pairAnswerForm.parse(
    fillIn(cards, 'offline-writer', 'metamorphic-pair', { tools: candidates, scenario, facts: shown }, seed),
  );
  if (pair === null) return null;
  const audit = auditOf(candidates, pair, facts, seed);
  return { seed, candidates, ...scenario, facts, pair, audit };
};

/** The unit after a refinement, as the product requests one. */
export const mendedUnit = (unit: WrittenUnit): WrittenUnit => {
  const answer = fillIn(
    cards,
    'offline-writer',
    'refinement',
    { tools: unit.candidates, pair: unit.pair, facts: claimsIn(unit), diagnosis: unit.audit },
    unit.seed,
  );
  const pair = { ...unit.pair, ...refinementForm.parse(answer) };
  return { ...unit, pair, audit: auditOf(unit.candidates, pair, unit.facts, unit.seed) };
};
