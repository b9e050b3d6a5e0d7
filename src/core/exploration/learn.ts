import type { UnitOutcome } from '#core/exploration/outcome.ts';
import type { Unit } from '#core/units/unit.ts';

/** What the exploration learns from a unit that is done; one that is not is a defect of the caller and throws. */
export function outcomeOf(unit: Unit): UnitOutcome {
  if (unit.stage.kind !== 'done') throw new Error(`unit ${unit.id} is at ${unit.stage.kind}`);
  const executions = [unit.executions.source, unit.executions.followUp].filter((execution) => execution !== null);
  return {
    unit: unit.id,
    probe: unit.probe,
    status: unit.stage.status,
    draws: unit.draws.slice(0, unit.drawn).map(({ tools }) => tools),
    chain: unit.pair?.chain ?? [],
    traces: executions.map(({ calls }) => ({ calls })),
    valuePassed: executions.flatMap(({ valuesPassed }) => valuesPassed),
    faults: unit.faults.filter(({ where }) => where === 'server').map(({ name }) => ({ server: name })),
  };
}
