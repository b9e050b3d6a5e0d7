import type { RunEvent } from '#core/reports/events.ts';
import type { RunStatus } from '#core/exploration/runs.ts';

/** The state of a run of any kind. */
export interface RunStanding {
  readonly status: RunStatus;
  readonly reason: string | null;
  /** Null while the run continues. */
  readonly endedAt: number | null;
}

type StateChange = Extract<RunEvent['event'], { type: 'run.paused' | 'run.resumed' | 'run.ended' }>;

/** Returns whether an event pauses, resumes or ends a run. */
export const isStateChange = (event: RunEvent['event']): event is StateChange =>
  event.type === 'run.paused' || event.type === 'run.resumed' || event.type === 'run.ended';

/** Returns the view after such an event; any other event leaves it unchanged. */
export function viewAfterStateChange<View extends RunStanding>(view: View, { event, at }: RunEvent): View {
  if (!isStateChange(event)) return view;
  if (event.type === 'run.ended')
    return { ...view, status: event.status, reason: event.reason, endedAt: Date.parse(at) };
  return event.type === 'run.paused'
    ? { ...view, status: 'paused', reason: event.reason ?? null }
    : { ...view, status: 'running', reason: null };
}
