import type { RunEvent } from '#core/reports/events.ts';
import { evolutionId, type EvolutionRecord, type VariantCounts } from '#core/exploration/evolution/record.ts';
import { noVariants } from '#core/exploration/evolution/stop.ts';
import { noUsage, type Usage } from '#core/models/usage.ts';
import { parkedUnitsAfterUnitEnded, countsWithoutOneInReview } from './parked-units.ts';
import { viewAfterStateChange, type RunStanding } from './run-state.ts';

/** What is shown of a running evolution. */
export interface EvolutionView extends RunStanding {
  readonly id: string;
  readonly seed: number;
  /** Accepted units compared before the first variant, and how many of them are near-duplicates. */
  readonly compared: { readonly units: number; readonly duplicates: number };
  /** Kept units and their target number; null before the first batch is done. */
  readonly kept: { readonly units: number; readonly target: number } | null;
  readonly batches: { readonly committed: number; readonly of: number };
  /** The current batch; null between batches. */
  readonly open: { readonly units: number; readonly ended: number } | null;
  /** Counts over the committed batches and the current one. */
  readonly variants: VariantCounts;
  /** Variants in review that nobody has decided on yet. */
  readonly parked: ReadonlySet<string>;
  /** Variants for which the fact index failed. */
  readonly ungrounded: number;
  readonly usage: Usage;
  readonly startedAt: number;
}

/** An evolution before its first event; the events fill it. */
export const initialEvolutionView = ({ exploration, number, config, createdAt }: EvolutionRecord): EvolutionView => ({
  id: evolutionId(exploration, number),
  seed: config.seed,
  status: 'running',
  reason: null,
  compared: { units: 0, duplicates: 0 },
  kept: null,
  batches: { committed: 0, of: config.budget.batches },
  open: null,
  variants: noVariants,
  parked: new Set(),
  ungrounded: 0,
  usage: noUsage,
  startedAt: Date.parse(createdAt),
  endedAt: null,
});

/** Returns the view after one more event. */
export function advanceEvolutionView(view: EvolutionView, happened: RunEvent): EvolutionView {
  const { event } = happened;
  switch (event.type) {
    case 'units.compared':
      return { ...view, compared: { units: event.units, duplicates: event.duplicates } };
    case 'batch.opened':
      return { ...view, open: { units: event.units, ended: 0 } };
    case 'grounding.failed':
      return { ...view, ungrounded: view.ungrounded + 1 };
    case 'unit.ended':
      return viewAfterUnitEnded(view, event);
    case 'batch.committed': {
      const { batch, variants, kept, target, usage } = event;
      const batches = { ...view.batches, committed: batch };
      return { ...view, open: null, variants, kept: { units: kept, target }, usage, batches };
    }
    default:
      return viewAfterStateChange(view, happened);
  }
}

function viewAfterUnitEnded(
  view: EvolutionView,
  event: Extract<RunEvent['event'], { type: 'unit.ended' }>,
): EvolutionView {
  const { unit, status } = event;
  const again = view.parked.has(unit);
  const before = again ? countsWithoutOneInReview(view.variants) : view.variants;
  const open = view.open === null || again ? view.open : { ...view.open, ended: view.open.ended + 1 };
  const variants = { ...before, [status]: before[status] + 1 };
  const { kept } = view;
  const more = kept === null || status !== 'accepted' ? kept : { ...kept, units: kept.units + 1 };
  return { ...view, open, variants, kept: more, parked: parkedUnitsAfterUnitEnded(view.parked, event) };
}
