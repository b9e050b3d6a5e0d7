import type { RunEvent } from '#core/reports/events.ts';
import type { GroundingCounts } from '#core/units/grounding-counts.ts';
import type { RoundReading } from '#core/exploration/reading-record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import { noGrounding } from '#core/units/grounding-counts.ts';
import { noUsage, type Usage } from '#core/models/usage.ts';
import { parkedUnitsAfterUnitEnded, countsWithoutOneInReview } from './parked-units.ts';
import { viewAfterStateChange, type RunStanding } from './run-state.ts';

type UnitCounts = ExplorationRecord['units'];

/** What is shown of a running exploration. */
export interface ExplorationView extends RunStanding {
  readonly id: string;
  readonly strategy: ExplorationRecord['config']['strategy'];
  readonly seed: number;
  readonly offline: boolean;
  readonly rounds: { readonly committed: number; readonly of: number };
  /** The current round; null between rounds. */
  readonly open: { readonly round: number; readonly units: number; readonly ended: number } | null;
  /** Counts over the committed rounds and the current one. */
  readonly units: UnitCounts;
  /** The estimates after the last committed round. */
  readonly reading: RoundReading | null;
  /** Null for a run without a fact index. */
  readonly grounding: GroundingCounts | null;
  /** Units that the round waits for a person to decide on. */
  readonly awaited: readonly string[];
  /** Units in review that nobody has decided on yet. */
  readonly parked: ReadonlySet<string>;
  readonly usage: Usage;
  readonly serversDown: readonly string[];
  readonly startedAt: number;
}

const noUnits: UnitCounts = { accepted: 0, review: 0, rejected: 0, lost: 0, dropped: 0, probes: 0 };

/** A run before its first event; the events fill it. */
export const initialExplorationView = ({ id, config, offline, createdAt }: ExplorationRecord): ExplorationView => ({
  id,
  offline,
  strategy: config.strategy,
  seed: config.seed,
  status: 'running',
  reason: null,
  open: null,
  units: noUnits,
  reading: null,
  grounding: config.knowledge === undefined ? null : noGrounding,
  awaited: [],
  parked: new Set(),
  usage: noUsage,
  serversDown: [],
  endedAt: null,
  rounds: { committed: 0, of: config.budget.rounds },
  startedAt: Date.parse(createdAt),
});

/** Returns the view after one more event. */
export function advanceExplorationView(view: ExplorationView, happened: RunEvent): ExplorationView {
  const { event } = happened;
  switch (event.type) {
    case 'round.opened':
      return { ...view, open: { round: event.round, units: event.units, ended: 0 } };
    case 'grounding.failed': {
      const grounding = view.grounding ?? noGrounding;
      return { ...view, grounding: { ...grounding, failed: grounding.failed + 1 } };
    }
    case 'unit.ended':
      return viewAfterUnitEnded(view, event);
    case 'review.awaited':
      return { ...view, awaited: [...withoutUnitId(view.awaited, event.unit), event.unit] };
    case 'review.decided':
      return { ...view, awaited: withoutUnitId(view.awaited, event.unit) };
    case 'round.committed': {
      const { round, units, reading, usage } = event;
      const grounding = view.grounding === null ? null : event.grounding;
      return { ...view, open: null, units, reading, grounding, usage, rounds: { ...view.rounds, committed: round } };
    }
    case 'server.down':
      return { ...view, serversDown: [...new Set([...view.serversDown, event.server])] };
    case 'server.recovered':
      return { ...view, serversDown: view.serversDown.filter((name) => name !== event.server) };
    default:
      return viewAfterStateChange(view, happened);
  }
}

const withoutUnitId = (units: readonly string[], unit: string): string[] => units.filter((each) => each !== unit);

function viewAfterUnitEnded(
  view: ExplorationView,
  event: Extract<RunEvent['event'], { type: 'unit.ended' }>,
): ExplorationView {
  const { unit, status, probe } = event;
  if (status === 'duplicate') return view;
  const again = view.parked.has(unit);
  const now = {
    ...view,
    parked: parkedUnitsAfterUnitEnded(view.parked, event),
    awaited: withoutUnitId(view.awaited, unit),
  };
  if (again && probe) return now;
  const kind = probe ? 'probes' : status;
  const before = again ? countsWithoutOneInReview(view.units) : view.units;
  const open = view.open === null || again ? view.open : { ...view.open, ended: view.open.ended + 1 };
  return { ...now, open, units: { ...before, [kind]: before[kind] + 1 } };
}

/** The share of the run that is done, 0..1, by its rounds. */
export function shareOfRoundsDone({ rounds, open, endedAt }: ExplorationView): number {
  if (endedAt !== null) return 1;
  const ofRound = open === null || open.units === 0 ? 0 : open.ended / open.units;
  return Math.min(1, (rounds.committed + ofRound) / rounds.of);
}
