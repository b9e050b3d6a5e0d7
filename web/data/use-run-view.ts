import { useEffect, useState } from 'preact/hooks';
import type { RunEvent } from '#core/reports/events.ts';
import type { EventOptions } from '../../client/http/event-stream.ts';
import { errorText } from './use-loaded.ts';

/** What is known of a run that is followed. */
export interface Followed<View> {
  readonly view: View;
  /** The latest events, the last one first. */
  readonly latest: readonly RunEvent[];
  /** Why no events arrive at the moment; null while they do. */
  readonly problem: string | null;
}

const mostLatest = 50;

/** How to follow a run. */
export interface Follow<View> {
  readonly initial: View;
  /** Returns the view after more events, the oldest first. */
  readonly advance: (view: View, events: readonly RunEvent[]) => View;
  /** Its events, past and future; null if there is nothing to follow. */
  readonly events: ((options: EventOptions) => AsyncIterable<RunEvent>) | null;
}

/** Follows a run. Events that arrive together are shown together, once per frame, however many they are. */
export function useRunView<View>(
  { initial, advance, events }: Follow<View>,
  inputs: readonly unknown[],
): Followed<View> {
  const [followed, setFollowed] = useState<Followed<View>>({ view: initial, latest: [], problem: null });
  useEffect(() => {
    setFollowed({ view: initial, latest: [], problem: null });
    if (events === null) return;
    const left = new AbortController();
    let waiting: RunEvent[] = [];
    const show = (): void => {
      const arrived = waiting;
      waiting = [];
      setFollowed(({ view, latest }) => ({
        view: advance(view, arrived),
        latest: [...arrived.toReversed(), ...latest].slice(0, mostLatest),
        problem: null,
      }));
    };
    const say = (problem: string): void => {
      if (!left.signal.aborted) setFollowed((known) => ({ ...known, problem }));
    };
    const follow = async (): Promise<void> => {
      for await (const event of events({ signal: left.signal, onLost: say })) {
        if (waiting.length === 0) requestAnimationFrame(show);
        waiting.push(event);
      }
    };
    follow().catch((error: unknown) => say(errorText(error)));
    return () => left.abort();
  }, inputs);
  return followed;
}
