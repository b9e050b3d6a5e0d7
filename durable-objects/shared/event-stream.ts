const heartbeatMs = 15_000;
/**
 * An open stream keeps its object in memory and billed, even if nobody reads it, so clients must reconnect if they are
 * still interested.
 */
const longestStreamMs = 20 * 60_000;
/** How long a browser waits before it reconnects. */
const comeBackMs = 1_000;
/** Events of this time go out together: a listener costs something for each piece that it gets, not for each event. */
const gatherMs = 20;
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
  /** Whether no more events will follow. */
  isComplete(): boolean;
}

/**
 * Serves a log to any number of listeners as server-sent events. Every listener gets each event once, in order, without
 * gaps. Those that have everything are sent what is new together, from one reading of the log; the others read it at
 * their own pace.
 */
export class EventStream {
  readonly #log: StreamedLog;
  readonly #longestMs: number;
  readonly #listeners = new Set<Listener>();
  #sending: ReturnType<typeof setTimeout> | null = null;

  constructor(log: StreamedLog, longestMs = longestStreamMs) {
    this.#log = log;
    this.#longestMs = longestMs;
  }

  /** Sends the listeners what is new in the log, a moment later: what comes in a burst goes out together. */
  notifyListeners(): void {
    if (this.#listeners.size === 0 || this.#sending !== null) return;
    this.#sending = setTimeout(() => {
      this.#sending = null;
      const readOnce = shareReads(this.#log);
      for (const listener of this.#listeners) listener.sendNext(readOnce);
    }, gatherMs);
  }

  /**
   * Returns the events after an id as a response; those that `shows` rejects appear only with their numbers. It ends
   * with the run, after some time, or when `signal` reports that the listener has disconnected. Status 204 if nothing
   * will ever follow, which stops a browser's EventSource.
   */
  makeResponse(after: number, signal: AbortSignal, shows: EventFilter = showsEveryEvent): Response {
    if (this.#log.isComplete() && this.#log.events(after, 1).length === 0) return new Response(null, { status: 204 });
    const listener = new Listener(this.#log, {
      after,
      shows,
      longestMs: this.#longestMs,
      left: () => this.#listeners.delete(listener),
    });
    this.#listeners.add(listener);
    signal.addEventListener('abort', () => listener.stopListening(), { once: true });
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => listener.greet(controller),
        pull: () => listener.sendMoreIfBehind(),
        cancel: () => listener.stopListening(),
      },
      { highWaterMark: 1 },
    );
    return new Response(body, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    });
  }
}

/** Whether a listener may see an event. Listeners with the same filter share what is read. */
export type EventFilter = (event: LoggedEvent) => boolean;
export const showsEveryEvent: EventFilter = () => true;

/** What a listener that has got the events up to an id gets next: null if there is nothing yet. */
type ReadNext = (after: number, shows: EventFilter) => Chunk | 'end' | null;

interface Chunk {
  readonly bytes: Uint8Array;
  /** The id of its last event. */
  readonly last: number;
  /** Whether more may follow at once: events, or the end. */
  readonly more: boolean;
}

const readNextOf =
  (log: StreamedLog): ReadNext =>
  (after, shows) => {
    const events = log.events(after, eventsPerRead);
    const last = events.at(-1);
    if (last === undefined) return log.isComplete() ? 'end' : null;
    const texts = events.map((event) =>
      shows(event) ? serverSentEventText(event) : withheldServerSentEventText(event),
    );
    return {
      bytes: encoder.encode(texts.join('')),
      last: last.id,
      more: events.length === eventsPerRead || log.isComplete(),
    };
  };

/** Reads once for all listeners at the same place with the same filter. To be used at once: the log and the filters change. */
function shareReads(log: StreamedLog): ReadNext {
  const read = readNextOf(log);
  const known = new Map<EventFilter, Map<number, ReturnType<ReadNext>>>();
  return (after, shows) => {
    const ofFilter = known.get(shows) ?? new Map<number, ReturnType<ReadNext>>();
    known.set(shows, ofFilter);
    const next = ofFilter.has(after) ? (ofFilter.get(after) ?? null) : read(after, shows);
    ofFilter.set(after, next);
    return next;
  };
}

interface Wanted {
  readonly after: number;
  readonly shows: EventFilter;
  readonly longestMs: number;
  readonly left: () => void;
}

/** A listener of a log, with its position. */
class Listener {
  readonly #read: ReadNext;
  readonly #shows: EventFilter;
  readonly #left: () => void;
  readonly #heart: ReturnType<typeof setInterval>;
  readonly #end: ReturnType<typeof setTimeout>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #cursor: number;
  /** Whether the log may hold more than was sent. */
  #behind = true;

  constructor(log: StreamedLog, { after, shows, longestMs, left }: Wanted) {
    this.#read = readNextOf(log);
    this.#cursor = after;
    this.#shows = shows;
    this.#left = left;
    this.#end = setTimeout(() => this.#endWith(comeBack), longestMs);
    this.#heart = setInterval(() => this.#sendHeartbeat(), heartbeatMs);
  }

  greet(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    controller.enqueue(greeting);
  }

  /** Sends what follows, unless the client has yet to take what it was sent before: then it is sent when it has. */
  sendNext(read: ReadNext): void {
    if (this.#controller === null) return;
    this.#behind = true;
    if ((this.#controller.desiredSize ?? 0) <= 0) return;
    const next = read(this.#cursor, this.#shows);
    if (next === 'end') return this.#endWith(end);
    this.#behind = next?.more ?? false;
    if (next === null) return;
    this.#cursor = next.last;
    this.#controller.enqueue(next.bytes);
  }

  sendMoreIfBehind(): void {
    if (this.#behind) this.sendNext(this.#read);
  }

  /** Removes a listener that has disconnected or has everything. */
  stopListening(): void {
    this.#controller = null;
    clearInterval(this.#heart);
    clearTimeout(this.#end);
    this.#left();
  }

  #sendHeartbeat(): void {
    if (this.#controller !== null && (this.#controller.desiredSize ?? 0) > 0) this.#controller.enqueue(heartbeat);
  }

  #endWith(bytes: Uint8Array): void {
    this.#controller?.enqueue(bytes);
    this.#controller?.close();
    this.stopListening();
  }
}

const greeting = encoder.encode(`retry: ${comeBackMs}\n\n`);
const heartbeat = encoder.encode(': heartbeat\n\n');
const comeBack = encoder.encode(': come back\n\n');
const end = encoder.encode('event: end\ndata: {}\n\n');

const serverSentEventText = ({ id, type, json }: LoggedEvent): string => `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
/** Replaces an event that the listener may not see, so that the numbers have no gaps. */
const withheldServerSentEventText = ({ id }: LoggedEvent): string => `id: ${id}\nevent: withheld\ndata: {}\n\n`;
