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
  readonly #waiting = new Set<() => void>();

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** Says that the log has grown. */
  wake(): void {
    for (const listener of this.#waiting) listener();
  }

  /** The events after an id as a response; ends with the run, or when `signal` says that the listener has gone. */
  response(after: number, signal: AbortSignal): Response {
    let cursor = after;
    const gone = new AbortController();
    signal.addEventListener('abort', () => gone.abort());
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          while (!gone.signal.aborted) {
            const events = this.#log.events(cursor, eventsPerRead);
            const last = events.at(-1);
            if (last !== undefined) {
              cursor = last.id;
              controller.enqueue(encoder.encode(events.map(frame).join('')));
              return;
            }
            if (this.#log.isComplete()) {
              controller.enqueue(encoder.encode('event: end\ndata: {}\n\n'));
              controller.close();
              return;
            }
            if (await this.#quiet(gone.signal)) {
              controller.enqueue(encoder.encode(': heartbeat\n\n'));
              return;
            }
          }
          controller.close();
        },
        cancel: () => gone.abort(),
      },
      { highWaterMark: 1 },
    );
    return new Response(body, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' },
    });
  }

  /** Waits until the log has grown, the listener has gone (both false), or it is time for a sign of life (true). */
  #quiet(gone: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (timeOut: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(grown);
        gone.removeEventListener('abort', grown);
        resolve(timeOut);
      };
      const grown = (): void => finish(false);
      const timer = setTimeout(() => finish(true), heartbeatMs);
      this.#waiting.add(grown);
      gone.addEventListener('abort', grown);
    });
  }
}

const frame = ({ id, type, json }: LoggedEvent): string => `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
