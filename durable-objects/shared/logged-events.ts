const eventsPerRead = 200;
const encoder = new TextEncoder();

/** An event as it is sent: `json` is a RunEvent. */
export interface LoggedEvent {
  readonly id: number;
  readonly type: string;
  readonly json: string;
}

/** The source of a stream's events. */
export interface StreamedLog {
  /** Events after an id, at most `limit`. */
  events(after: number, limit: number): LoggedEvent[];
  /** The id of the last event; 0 before the first. */
  lastId(): number;
  /** Whether no more events will follow. */
  isComplete(): boolean;
}

/** Whether a listener may see an event. Listeners with the same filter share what is read. */
export type EventFilter = (event: LoggedEvent) => boolean;
export const showsEveryEvent: EventFilter = () => true;

/** Events as server-sent events, with the id of the last one. */
export interface EventChunk {
  readonly bytes: Uint8Array;
  readonly last: number;
}

/** Returns what a listener that has got the events up to an id gets next: null if there is nothing yet. */
export type ReadNext = (after: number, shows: EventFilter) => EventChunk | 'end' | null;

/** Reads once for all listeners at the same place with the same filter. To be used at once: the log and the filters change. */
export function shareReads(log: StreamedLog): ReadNext {
  const known = new Map<EventFilter, Map<number, ReturnType<ReadNext>>>();
  return (after, shows) => {
    const ofFilter = known.get(shows) ?? new Map<number, ReturnType<ReadNext>>();
    known.set(shows, ofFilter);
    const next = ofFilter.get(after) ?? readChunk(log, after, shows) ?? (log.isComplete() ? 'end' : null);
    ofFilter.set(after, next);
    return next;
  };
}

/** Returns the events after one id up to another as a body, which is read from the log at the listener's pace. */
export function streamLoggedEvents(
  log: StreamedLog,
  { after, until, shows }: { readonly after: number; readonly until: number; readonly shows: EventFilter },
): ReadableStream<Uint8Array> {
  let cursor = after;
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const chunk = readChunk(log, cursor, shows, until);
        if (chunk !== null) controller.enqueue(chunk.bytes);
        cursor = chunk?.last ?? until;
        if (cursor >= until) controller.close();
      },
    },
    { highWaterMark: 1 },
  );
}

function readChunk(
  log: StreamedLog,
  after: number,
  shows: EventFilter,
  until = Number.POSITIVE_INFINITY,
): EventChunk | null {
  const events = log.events(after, Math.min(eventsPerRead, until - after));
  const last = events.at(-1);
  if (last === undefined) return null;
  const texts = events.map((event) => (shows(event) ? serverSentEventText(event) : withheldServerSentEventText(event)));
  return { bytes: encoder.encode(texts.join('')), last: last.id };
}

const serverSentEventText = ({ id, type, json }: LoggedEvent): string => `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
/** Replaces an event that the listener may not see, so that the numbers have no gaps. */
const withheldServerSentEventText = ({ id }: LoggedEvent): string => `id: ${id}\nevent: withheld\ndata: {}\n\n`;
