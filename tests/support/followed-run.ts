import type { RunEvent } from '#core/reports/events.ts';

/** A run's events as they arrive, across restarts of the server. */
export interface FollowedRun {
  readonly seen: readonly RunEvent[];
  /** Resolves with the last event. */
  readonly ended: Promise<void>;
  isOver(): boolean;
  /** Waits for a number of further events, or for the end; throws if nothing happens for a minute. */
  progressed(more: number): Promise<void>;
}

const patienceMs = 60_000;

export function followed(events: AsyncIterable<RunEvent>): FollowedRun {
  const seen: RunEvent[] = [];
  const isOver = (): boolean => seen.some(({ event }) => event.type === 'run.ended');
  const follow = async (): Promise<void> => {
    for await (const event of events) seen.push(event);
  };
  return {
    seen,
    ended: follow(),
    isOver,
    async progressed(more) {
      const wanted = seen.length + more;
      for (let [last, atMs] = [seen.length, Date.now()]; seen.length < wanted && !isOver(); await pause(50)) {
        if (seen.length > last) [last, atMs] = [seen.length, Date.now()];
        if (Date.now() - atMs > patienceMs) throw new Error(`nothing happened for a minute after event ${last}`);
      }
    },
  };
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
