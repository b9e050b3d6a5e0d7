const heartbeatMs = 15_000;
/**
 * An open stream keeps its object in memory and billed, even if nobody reads it, so clients must reconnect if they are
 * still interested.
 */
const longestStreamMs = 20 * 60_000;
/** How long a browser waits before it reconnects. */
const comeBackMs = 1_000;
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
 * Serves a log to any number of listeners as server-sent events. A listener reads from the log at its own pace, and
 * `notifyListeners` only says that there may be more. Every listener gets each event once, in order, without gaps.
 */
export class EventStream {
  readonly #log: StreamedLog;
  readonly #longestMs: number;
  readonly #listeners = new Set<Listener>();

  constructor(log: StreamedLog, longestMs = longestStreamMs) {
    this.#log = log;
    this.#longestMs = longestMs;
  }

  /** Notifies the listeners that the log has grown. */
  notifyListeners(): void {
    for (const listener of this.#listeners) listener.wakeIfWaiting();
  }

  /**
   * Returns the events after an id as a response; those that `shows` rejects appear only with their numbers. It ends
   * with the run, after some time, or when `signal` reports that the listener has disconnected. Status 204 if nothing
   * will ever follow, which stops a browser's EventSource.
   */
  makeResponse(after: number, signal: AbortSignal, shows: (event: LoggedEvent) => boolean = () => true): Response {
    if (this.#log.isComplete() && this.#log.events(after, 1).length === 0) return new Response(null, { status: 204 });
    const left = () => this.#listeners.delete(listener);
    const listener = new Listener(this.#log, { after, shows, longestMs: this.#longestMs, left });
    this.#listeners.add(listener);
    signal.addEventListener('abort', () => listener.stopListening(), { once: true });
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const text = await listener.awaitNextText();
          if (text === null) return controller.close();
          controller.enqueue(encoder.encode(text));
        },
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

interface Wanted {
  readonly after: number;
  readonly shows: (event: LoggedEvent) => boolean;
  readonly longestMs: number;
  readonly left: () => void;
}

/** A listener of a log: its position, and whether it waits. */
class Listener {
  readonly #log: StreamedLog;
  readonly #shows: (event: LoggedEvent) => boolean;
  readonly #left: () => void;
  readonly #heart: ReturnType<typeof setInterval>;
  readonly #end: ReturnType<typeof setTimeout>;
  #cursor: number;
  #greeted = false;
  #silent = false;
  #late = false;
  #over = false;
  #stir: (() => void) | null = null;

  constructor(log: StreamedLog, { after, shows, longestMs, left }: Wanted) {
    this.#log = log;
    this.#cursor = after;
    this.#shows = shows;
    this.#left = left;
    this.#end = setTimeout(() => {
      this.#late = true;
      this.wakeIfWaiting();
    }, longestMs);
    this.#heart = setInterval(() => {
      this.#silent = true;
      this.wakeIfWaiting();
    }, heartbeatMs);
  }

  /** Returns what to send next, once there is something; null when there will be nothing more. */
  async awaitNextText(): Promise<string | null> {
    while (!this.#over) {
      if (!this.#greeted) {
        this.#greeted = true;
        return `retry: ${comeBackMs}\n\n`;
      }
      if (this.#late) {
        this.stopListening();
        return ': come back\n\n';
      }
      const events = this.#log.events(this.#cursor, eventsPerRead);
      const last = events.at(-1);
      if (last !== undefined) {
        this.#cursor = last.id;
        this.#silent = false;
        return events
          .map((event) => (this.#shows(event) ? serverSentEventText(event) : withheldServerSentEventText(event)))
          .join('');
      }
      if (this.#log.isComplete()) {
        this.stopListening();
        return 'event: end\ndata: {}\n\n';
      }
      if (this.#silent) {
        this.#silent = false;
        return ': heartbeat\n\n';
      }
      await new Promise<void>((resolve) => {
        this.#stir = resolve;
      });
    }
    return null;
  }

  /** Lets it read the log again. */
  wakeIfWaiting(): void {
    this.#stir?.();
    this.#stir = null;
  }

  /** Removes a listener that has disconnected or has everything. */
  stopListening(): void {
    this.#over = true;
    clearInterval(this.#heart);
    clearTimeout(this.#end);
    this.#left();
    this.wakeIfWaiting();
  }
}

const serverSentEventText = ({ id, type, json }: LoggedEvent): string => `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
/** Replaces an event that the listener may not see, so that the numbers have no gaps. */
const withheldServerSentEventText = ({ id }: LoggedEvent): string => `id: ${id}\nevent: withheld\ndata: {}\n\n`;
