import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { runEvent, type RunEvent } from '#core/reports/events.ts';
import { type Backoff, backoffMs } from '#core/values/backoff.ts';
import { abortReason, waitOrThrowIfAborted } from './pause.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { parseJsonAnswer } from './transport.ts';

export interface EventOptions {
  /** The last event that the caller has; 0 for all of them. */
  readonly after?: number;
  /** Ends the iteration with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called once when the connection is lost, until events arrive again. */
  readonly onLost?: (why: string) => void;
}

export interface StreamTiming {
  /** A connection that is silent for this long counts as dead; the service sends a comment every 15 s. */
  readonly silenceMs: number;
  readonly backoff: Backoff;
  /** Gives up after this long without any data. */
  readonly giveUpMs: number;
}

export const defaultTiming: StreamTiming = {
  silenceMs: 45_000,
  backoff: { firstMs: 250, longestMs: 10_000 },
  giveUpMs: 10 * 60_000,
};

/** Opens the stream after an event. */
export type OpenStream = (after: number, signal: AbortSignal) => Promise<Response>;

/**
 * Returns the events of a run, each once and in order, until the run has ended. If the connection breaks, or the
 * service asks the client to reconnect, it resumes the stream after the caller's last event.
 */
export async function* followEvents(
  open: OpenStream,
  { after = 0, signal, onLost }: EventOptions = {},
  timing: StreamTiming = defaultTiming,
): AsyncGenerator<RunEvent, void, undefined> {
  let last = after;
  let failures = 0;
  let brokenSince: number | null = null;
  for (;;) {
    const connection = new Connection(open, timing.silenceMs, signal);
    try {
      for await (const message of connection.readMessagesAndHeartbeats(last)) {
        if (message === 'heartbeat' || message === 'come back') {
          [failures, brokenSince] = [0, null];
          if (message === 'come back') break;
          continue;
        }
        if (message.event === 'end') return;
        if (message.event === 'withheld') {
          last = Math.max(last, Number(message.id ?? last));
          continue;
        }
        const event = parseJsonAnswer(runEvent, message.data, 'the event stream');
        if (event.id <= last) continue;
        // Numbers have no gaps, so a missing one was lost on the way.
        if (event.id > last + 1) throw new ConnectionError(`event ${last + 1} is missing`, { unsent: false });
        last = event.id;
        [failures, brokenSince] = [0, null];
        yield event;
      }
    } catch (error) {
      if (signal?.aborted === true) throw abortReason(signal);
      brokenSince ??= Date.now();
      if (!isTransientError(error) || Date.now() - brokenSince > timing.giveUpMs) throw error;
      failures += 1;
      if (failures === 1) onLost?.(error.message);
      const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
      await waitOrThrowIfAborted(Math.max(asked, backoffMs(timing.backoff, failures, Math.random())), signal);
    } finally {
      connection.close();
    }
  }
}

function isTransientError(error: unknown): error is ConnectionError | ApiError {
  return (
    error instanceof ConnectionError || (error instanceof ApiError && (error.status === 429 || error.status >= 500))
  );
}

/** What a connection delivers: events, comments, and the service's request to reconnect when it ends a long stream. */
type Message = EventSourceMessage | 'heartbeat' | 'come back';

/** One connection to the stream, with a limit on silence. */
class Connection {
  readonly #open: OpenStream;
  readonly #silenceMs: number;
  readonly #abort = new AbortController();
  readonly #signal: AbortSignal;

  constructor(open: OpenStream, silenceMs: number, signal: AbortSignal | undefined) {
    this.#open = open;
    this.#silenceMs = silenceMs;
    this.#signal = signal === undefined ? this.#abort.signal : AbortSignal.any([this.#abort.signal, signal]);
  }

  /** Messages and comments as they arrive; throws at the end, because a stream without an end event was cut off. */
  async *readMessagesAndHeartbeats(after: number): AsyncGenerator<Message, void, undefined> {
    const response = await this.#withinSilenceLimit(this.#open(after, this.#signal));
    // No more events will follow.
    if (response.status === 204) return yield { id: undefined, event: 'end', data: '{}' };
    if (response.body === null) throw new ConnectionError('the event stream has no body', { unsent: false });
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    const arrived: Message[] = [];
    const parser = createParser({
      onEvent: (message) => void arrived.push(message),
      onComment: (comment) => void arrived.push(comment.trim() === 'come back' ? 'come back' : 'heartbeat'),
    });
    for (;;) {
      const { done, value } = await this.#withinSilenceLimit(reader.read());
      if (done) throw new ConnectionError('the event stream was cut', { unsent: false });
      parser.feed(decoder.decode(value, { stream: true }));
      yield* arrived.splice(0);
    }
  }

  close(): void {
    this.#abort.abort();
  }

  /** Waits for the other side, but not forever. */
  async #withinSilenceLimit<T>(arriving: Promise<T>): Promise<T> {
    let silent = false;
    const watchdog = setTimeout(() => {
      silent = true;
      this.#abort.abort();
    }, this.#silenceMs);
    try {
      return await arriving;
    } catch (error) {
      if (silent)
        throw new ConnectionError(`nothing was heard for ${this.#silenceMs / 1000} s`, { unsent: false, cause: error });
      if (error instanceof ApiError || error instanceof ConnectionError) throw error;
      throw new ConnectionError('the event stream was cut', { unsent: false, cause: error });
    } finally {
      clearTimeout(watchdog);
    }
  }
}
