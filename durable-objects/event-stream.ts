const heartbeatMs = 15_000;
const eventsPerRead = 200;
const encoder = new TextEncoder();

/** An event as it is sent: `json` is a RunEvent. */
export interface LoggedEvent {
  readonly id: number;
  readonly type: string;
  readonly json: string;
}

/** Where a stream's events come from. */
export interface EventLog {
  /** Events after an id, at most `limit`. */
  events(after: number, limit: number): LoggedEvent[];
  /** Whether nothing will follow. */
  isComplete(): boolean;
}

/**
 * Serves a log to any number of listeners as server-sent events. The log is the truth: a listener reads from it at its own
 * pace, and `wake` only says that there may be more. Every listener gets each event once, in order, without gaps.
 */
export class EventStream {
  readonly #log: EventLog;
  readonly #listeners = new Set<Listener>();

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** Says that the log has grown. */
  wake(): void {
    for (const listener of this.#listeners) listener.wake();
  }

  /** The events after an id as a response; ends with the run, or when `signal` says that the listener has gone. */
  response(after: number, signal: AbortSignal): Response {
    const listener = new Listener(this.#log, after, () => this.#listeners.delete(listener));
    this.#listeners.add(listener);
    signal.addEventListener('abort', () => listener.leave(), { once: true });
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const text = await listener.next();
          if (text === null) return controller.close();
          controller.enqueue(encoder.encode(text));
        },
        cancel: () => listener.leave(),
      },
      { highWaterMark: 1 },
    );
    return new Response(body, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      },
    });
  }
}

/** One who follows a log: where it stands, and whether it waits. */
class Listener {
  readonly #log: EventLog;
  readonly #left: () => void;
  readonly #heart: ReturnType<typeof setInterval>;
  #cursor: number;
  #silent = false;
  #over = false;
  #stir: (() => void) | null = null;

  constructor(log: EventLog, after: number, left: () => void) {
    this.#log = log;
    this.#cursor = after;
    this.#left = left;
    this.#heart = setInterval(() => {
      this.#silent = true;
      this.wake();
    }, heartbeatMs);
  }

  /** What is to be sent next, once there is something; null when there will be nothing more. */
  async next(): Promise<string | null> {
    while (!this.#over) {
      const events = this.#log.events(this.#cursor, eventsPerRead);
      const last = events.at(-1);
      if (last !== undefined) {
        this.#cursor = last.id;
        this.#silent = false;
        return events.map(frame).join('');
      }
      if (this.#log.isComplete()) {
        this.leave();
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

  /** Lets it look at the log again. */
  wake(): void {
    this.#stir?.();
    this.#stir = null;
  }

  /** Forgets it: it has gone, or has everything. */
  leave(): void {
    this.#over = true;
    clearInterval(this.#heart);
    this.#left();
    this.wake();
  }
}

const frame = ({ id, type, json }: LoggedEvent): string => `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
