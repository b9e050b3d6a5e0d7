import type { RunEvent } from '#core/reports/events.ts';
import type { RoundReading } from '#core/exploration/reading-record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import { isOver } from '#core/exploration/runs.ts';
import {
  advanceExplorationView,
  initialExplorationView,
  type ExplorationView,
} from '../../client/progress/exploration-view.ts';
import { unitRowsAfterEvents, type UnitRows } from '../data/unit-rows.ts';

/** What the page of an exploration shows. */
export interface ExplorationPageView {
  readonly run: ExplorationView;
  /** The readings after each round, oldest first. */
  readonly readings: readonly RoundReading[];
  readonly units: UnitRows;
}

/** A run that is over, as its record has it, or one that its events will fill. */
export const initialPageView = (record: ExplorationRecord): ExplorationPageView => ({
  run: isOver(record.status) ? viewOfRecord(record) : initialExplorationView(record),
  readings: [],
  units: new Map(),
});

const viewOfRecord = (record: ExplorationRecord): ExplorationView => ({
  ...initialExplorationView(record),
  status: record.status,
  reason: record.reason,
  units: record.units,
  reading: record.reading,
  usage: record.usage,
  serversDown: record.serversDown,
  rounds: { committed: record.rounds, of: record.config.budget.rounds },
  endedAt: record.endedAt === null ? null : Date.parse(record.endedAt),
  ...(record.config.knowledge === undefined ? {} : { grounding: record.grounding }),
});

/** Returns the view after more events. */
export const pageViewAfterEvents = (view: ExplorationPageView, events: readonly RunEvent[]): ExplorationPageView => ({
  run: events.reduce(advanceExplorationView, view.run),
  readings: [
    ...view.readings,
    ...events.flatMap(({ event }) => (event.type === 'round.committed' ? [event.reading] : [])),
  ],
  units: unitRowsAfterEvents(view.units, events),
});
