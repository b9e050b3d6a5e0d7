import type { RunEvent } from '#core/reports/events.ts';
import type { UnitSummary } from '#core/exploration/record.ts';

/** What the list of units shows of one. */
export interface UnitRow {
  readonly id: string;
  /** What is done next, such as `audit`, or how it ended. */
  readonly state: string;
  readonly probe: boolean;
  readonly chain: readonly string[];
  /** The score of the last audit; null before. */
  readonly score: number | null;
}

export const makeUnitRow = ({ id, stage, status, probe, chain, score }: UnitSummary): UnitRow => ({
  id,
  state: status ?? stage.kind,
  probe,
  chain,
  score,
});

/** The rows of a run that is followed, by the unit's id, the latest unit last. */
export type UnitRows = ReadonlyMap<string, UnitRow>;

/** Returns the rows after more events; the same ones if these say nothing of units. */
export function unitRowsAfterEvents(rows: UnitRows, events: readonly RunEvent[]): UnitRows {
  let changed: Map<string, UnitRow> | null = null;
  for (const happened of events) {
    const said = unitRowChangeOfEventOrNull(happened);
    if (said === null) continue;
    changed ??= new Map(rows);
    const known = changed.get(said.unit) ?? { id: said.unit, state: '', probe: false, chain: [], score: null };
    changed.set(said.unit, { ...known, ...said.change });
  }
  return changed ?? rows;
}

interface Said {
  readonly unit: string;
  readonly change: Partial<UnitRow>;
}

function unitRowChangeOfEventOrNull({ event }: RunEvent): Said | null {
  switch (event.type) {
    case 'unit.redrawn':
      return { unit: event.unit, change: { state: 'scenario' } };
    case 'unit.written':
      return { unit: event.unit, change: { state: 'audit', chain: event.chain } };
    case 'unit.audited':
      return { unit: event.unit, change: { state: event.next, score: event.score } };
    case 'unit.executed':
      return { unit: event.unit, change: { state: 'execution' } };
    case 'unit.ended':
      return { unit: event.unit, change: { state: event.status, probe: event.probe } };
    case 'review.awaited':
      return { unit: event.unit, change: { state: 'review', score: event.score } };
    case 'review.settled':
      return { unit: event.unit, change: { state: event.status } };
    default:
      return null;
  }
}
