import type { RunEvent } from '#core/events.ts';
import type { RunStatus } from '#core/runs.ts';

/** How a run of either kind stands. */
export interface RunStanding {
  readonly status: RunStatus;
  readonly reason: string | null;
  /** Null while the run goes on. */
  readonly endedAt: number | null;
}

type Turning = Extract<RunEvent['event'], { type: 'run.paused' | 'run.resumed' | 'run.ended' }>;

/** What an event changes that pauses, resumes or ends a run; `at` is ISO 8601. */
export function turned(event: Turning, at: string): Partial<RunStanding> {
  if (event.type === 'run.ended') return { status: event.status, reason: event.reason, endedAt: Date.parse(at) };
  return { status: event.type === 'run.paused' ? 'paused' : 'running' };
}
