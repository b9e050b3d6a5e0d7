import type { UnitOutcome } from '#core/exploration/outcome.ts';
import type { Unit } from '#core/units/unit.ts';

/**
 * Returns what the exploration learns from a finished unit. Throws for an unfinished one, which is a defect of the
 * caller.
 */
export function outcomeOfFinishedUnit(unit: Unit): UnitOutcome {
  if (unit.stage.kind !== 'done') throw new Error(`unit ${unit.id} is at ${unit.stage.kind}`);
  const { status } = unit.stage;
  if (status === 'duplicate') throw new Error(`unit ${unit.id} is a variant, and none of a round`);
  const executions = [unit.executions.source, unit.executions.followUp].filter((execution) => execution !== null);
  return {
    unit: unit.id,
    probe: unit.probe,
    status,
    draws: unit.draws.slice(0, unit.drawn).map(({ tools }) => tools),
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
  draws: unit.draws.slice(0, unit.drawn).map(({ tools }) => tools),
  chain: unit.pair?.chain ?? [],
  traces: [],
  valuePassed: [],
  faults: [],
});
