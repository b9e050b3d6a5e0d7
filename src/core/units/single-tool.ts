import type { Draw, Stage, Unit } from './unit.ts';
import { isNegativeUnit } from './negative.ts';

/** Units of one tool that has near siblings: both requests are to lead to that tool, and to none of them. */

/** Returns the near siblings that the candidate set being tried is to be told from; none for a unit of several tools. */
export const listSiblingTools = ({ draws, drawn }: Pick<Unit, 'draws' | 'drawn'>): readonly string[] =>
  draws[drawn - 1]?.siblings ?? [];

/** Returns whether both requests of a unit are to lead to one tool alone. */
export const isSingleToolUnit = (unit: Pick<Unit, 'draws' | 'drawn'>): boolean => listSiblingTools(unit).length > 0;

/** Returns why a chain is not one call of a single-tool unit's tool; null if it is, and for a unit of several tools. */
export const findSingleToolProblemOrNull = (
  { draws, drawn }: Pick<Unit, 'draws' | 'drawn'>,
  chain: readonly string[],
): string | null => {
  const { tools: [tool] = [], siblings } = draws[drawn - 1] ?? {};
  return siblings === undefined || (chain.length === 1 && chain[0] === tool)
    ? null
    : `the chain is not one call of ${tool}`;
};

/** Returns whether a candidate set is one tool on purpose: to be told from its siblings, or to be fallen for. */
export const isForOneTool = ({ siblings, negative }: Draw): boolean => siblings !== undefined || negative === true;

/** Returns how a candidate set is written for: a request for one tool, or for none, has no scenario. */
export const firstStageOfDraw = (draw: Draw): Stage => (isForOneTool(draw) ? { kind: 'pair' } : { kind: 'scenario' });

/** Returns how few steps the chain of a unit may have; undefined for what every other chain needs. */
export const leastStepsOfChain = (unit: Pick<Unit, 'draws' | 'drawn'>): 0 | 1 | undefined => {
  if (isNegativeUnit(unit)) return 0;
  return isSingleToolUnit(unit) ? 1 : undefined;
};
