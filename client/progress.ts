import type { RunEvent } from '#core/events.ts';
import type { RoundReading } from '#core/exploration/reading-record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import { noUsage, type Usage } from '#core/units/unit.ts';
import { turned, type RunStanding } from './progress-run.ts';

type UnitCounts = ExplorationRecord['units'];

/** What there is to show of a run while it goes on. */
export interface RunView extends RunStanding {
  readonly id: string;
  readonly strategy: ExplorationRecord['config']['strategy'];
  readonly seed: number;
  readonly offline: boolean;
  readonly rounds: { readonly committed: number; readonly of: number };
  /** The round under way; null between rounds. */
  readonly open: { readonly round: number; readonly units: number; readonly ended: number } | null;
  /** Of the committed rounds and of the one under way. */
  readonly units: UnitCounts;
  /** The estimates after the last committed round. */
  readonly reading: RoundReading | null;
  readonly usage: Usage;
  readonly serversDown: readonly string[];
  readonly startedAt: number;
}

const noUnits: UnitCounts = { accepted: 0, review: 0, rejected: 0, lost: 0, dropped: 0, probes: 0 };

/** A run before its first event; what the events will tell is left to them. */
export const viewOf = ({ id, config, offline, createdAt }: ExplorationRecord): RunView => ({
  id,
  offline,
  strategy: config.strategy,
  seed: config.seed,
  status: 'running',
  reason: null,
  open: null,
  units: noUnits,
  reading: null,
  usage: noUsage,
  serversDown: [],
  endedAt: null,
  rounds: { committed: 0, of: config.budget.rounds },
  startedAt: Date.parse(createdAt),
});

/** The view after one more event. */
export function advance(view: RunView, { event, at }: RunEvent): RunView {
  switch (event.type) {
    case 'round.opened':
      return { ...view, open: { round: event.round, units: event.units, ended: 0 } };
    case 'unit.ended': {
      const kind = event.probe ? 'probes' : event.status;
      const open = view.open === null ? null : { ...view.open, ended: view.open.ended + 1 };
      return { ...view, open, units: { ...view.units, [kind]: view.units[kind] + 1 } };
    }
    case 'round.committed': {
      const { round, units, reading, usage } = event;
      return { ...view, open: null, units, reading, usage, rounds: { ...view.rounds, committed: round } };
    }
    case 'server.down':
      return { ...view, serversDown: [...new Set([...view.serversDown, event.server])] };
    case 'server.recovered':
      return { ...view, serversDown: view.serversDown.filter((name) => name !== event.server) };
    case 'run.paused':
    case 'run.resumed':
    case 'run.ended':
      return { ...view, ...turned(event, at) };
    case 'run.created':
    case 'run.driven':
    case 'grounding.unavailable':
    case 'unit.redrawn':
    case 'unit.written':
    case 'unit.audited':
    case 'unit.executed':
    case 'server.retried':
    // Of evaluations and knowledge indexes; an exploration tells none of these.
    case 'attempt.claimed':
    case 'attempt.expired':
    case 'attempt.intruded':
    case 'attempt.relaunched':
    case 'attempt.ended':
    case 'attempt.judged':
    case 'unit.evaluated':
    case 'passages.loaded':
    case 'load.ended':
    case 'load.failed':
    case 'namespace.cleared':
      return view;
  }
}

/** How much of the run is behind it, 0..1, by its rounds. */
export function shareDone({ rounds, open, endedAt }: RunView): number {
  if (endedAt !== null) return 1;
  const ofRound = open === null || open.units === 0 ? 0 : open.ended / open.units;
  return Math.min(1, (rounds.committed + ofRound) / rounds.of);
}
