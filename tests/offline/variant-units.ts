import { makeDice } from '../../offline/models/seeded.ts';
import { cards } from '../../offline/cards/index.ts';
import { catalog } from './grounded-units.ts';
import {
  auditForm,
  fillIn,
  gradeOf,
  pairAnswerForm,
  scenarioForm,
  type Audit,
  type ListedTool,
  type WrittenPair,
} from './models-support.ts';

export type VariantKind = 'entities' | 'extended' | 'recombined';

/** The result of a variant: its task, and the pair that was written for it. */
export interface WrittenVariant {
  readonly seeds: readonly WrittenPair[];
  readonly request: string | null;
  readonly pair: WrittenPair | null;
  readonly audit: Audit | null;
}

const toolsNamed = (names: readonly string[]): ListedTool[] =>
  [...new Set(names)].flatMap((name) => catalog.find((tool) => tool.name === name) ?? []);

const auditOf = (pair: WrittenPair, tools: readonly ListedTool[], seed: number): Audit =>
  auditForm.parse(fillIn(cards, 'offline-critic', 'audit', { tools, pair, facts: [] }, seed));

const pairFor = (tools: readonly ListedTool[], scenario: unknown, seed: number): WrittenPair | null =>
  pairAnswerForm.parse(fillIn(cards, 'offline-writer', 'metamorphic-pair', { tools, scenario, facts: [] }, seed)).pair;

/** Units that have proved good. */
export const goodUnits = (count: number): WrittenPair[] => {
  const found: WrittenPair[] = [];
  for (let seed = 0; found.length < count; seed += 1) {
    const dice = makeDice('seeds of variants', seed);
    const tools = dice.shuffle(catalog).slice(0, 3 + dice.below(4));
    const { scenario } = scenarioForm.parse(fillIn(cards, 'offline-writer', 'scenario', { tools, known: [] }, seed));
    const pair = scenario === null ? null : pairFor(tools, scenario, seed);
    if (pair !== null && gradeOf(auditOf(pair, tools, seed)) >= 80) found.push(pair);
  }
  return found;
};

/** Lets the writer make a variant of some units with these tools beside theirs, and a pair of it. */
export const writeVariant = (
  kind: VariantKind,
  seeds: readonly WrittenPair[],
  others: readonly string[],
  seed: number,
  known: readonly (readonly string[])[] = [],
): WrittenVariant => {
  const tools = toolsNamed([...seeds.flatMap(({ chain }) => chain), ...others]);
  const shown = seeds.map(({ source, followUp, chain }) => ({ source, followUp, chain }));
  const { scenario } = scenarioForm.parse(
    fillIn(cards, 'offline-writer', 'variant', { kind, seeds: shown, tools, known }, seed),
  );
  const pair = scenario === null ? null : pairFor(tools, scenario, seed);
  const audit = pair === null ? null : auditOf(pair, tools, seed);
  return { seeds, request: scenario?.request ?? null, pair, audit };
};
