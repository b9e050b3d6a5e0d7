import { addTallies, noFailures, type FailureTally } from '#core/traces/failure-counts.ts';
import type { Unit } from './unit.ts';

/** What a unit executed: its requests, and those of an earlier wording if there was one. */
interface ExecutedUnit extends Pick<Unit, 'executions'> {
  readonly earlierExecution: Pick<Unit, 'executions'> | null;
}

/** Counts the failed calls of the base agent in some units. */
export const tallyFailedCallsOfUnits = (units: readonly ExecutedUnit[]): FailureTally =>
  units
    .flatMap((unit) => [unit, ...(unit.earlierExecution === null ? [] : [unit.earlierExecution])])
    .flatMap(({ executions: { source, followUp } }) => [source?.failures, followUp?.failures])
    .reduce<FailureTally>((sum, each) => (each === undefined ? sum : addTallies(sum, each)), noFailures);
