import type { UnitOutcome } from './outcome.ts';
import { isNegativeUnit } from '#core/units/negative.ts';
import type { Unit } from '#core/units/unit.ts';

/**
 * Returns what the exploration learns from a finished unit. From a negative one it learns neither draws nor calls: what an agent calls
 * where no tool fits shows no way through the tools. Throws for an unfinished one, which is a defect of the
 * caller.
 */
export function outcomeOfFinishedUnit(unit: Unit): UnitOutcome {
  if (unit.stage.kind !== 'done') throw new Error(`unit ${unit.id} is at ${unit.stage.kind}`);
  const { status } = unit.stage;
  if (status === 'duplicate') throw new Error(`unit ${unit.id} is a variant, and none of a round`);
  const made = isNegativeUnit(unit) ? [] : [unit.executions.source, unit.executions.followUp];
  const executions = made.filter((execution) => execution !== null);
  return {
    unit: unit.id,
    probe: unit.probe,
    status,
    draws: listTriedSets(unit),
    chain: unit.pair?.chain ?? [],
    traces: executions.map(({ calls }) => ({ calls })),
    valuePassed: executions.flatMap(({ valuesPassed }) => valuesPassed),
    faults: unit.faults.filter(({ where }) => where === 'server').map(({ name }) => ({ server: name })),
  };
}

/**
 * Returns the outcome of a unit that counts as in review until its decision has been carried out: with its draws and chain, but
 * nothing that it executed.
 */
export const outcomeOfUnitInReview = (unit: Unit): UnitOutcome => ({
  unit: unit.id,
  probe: unit.probe,
  status: 'review',
  draws: listTriedSets(unit),
  chain: unit.pair?.chain ?? [],
  traces: [],
  valuePassed: [],
  faults: [],
});

/** Returns the candidate sets that were tried; none for a negative unit, for which no tool is a candidate. */
const listTriedSets = (unit: Unit): UnitOutcome['draws'] =>
  isNegativeUnit(unit) ? [] : unit.draws.slice(0, unit.drawn).map(({ tools }) => tools);
