import { comeBackBytes, endBytes, heartbeatBytes, sharedStreamHeader } from '#core/values/event-stream-answer.ts';
import type { EventFilter, ReadNext } from './logged-events.ts';

/** A listener that takes nothing holds up those that share its stream, so few do. */
const mostListeners = 32;
/** Listeners join in this time. What was sent by then is kept for those that join later. */
const openMs = 10_000;
/** A listener that takes nothing for this long ends the stream. */
const stuckMs = 5_000;
const heartbeatMs = 15_000;
/**
 * An open stream keeps its object in memory and billed, even if nobody reads it, so clients must reconnect if they are
 * still interested.
 */
const longestMs = 20 * 60_000;

interface Options {
  /** The id of the event after which it begins. */
  readonly start: number;
  readonly shows: EventFilter;
  /** Called when the stream can send again. */
  readonly idle: () => void;
  /** Called when nothing more is sent. */
  readonly ended: () => void;
}

/**
 * A stream of the new events of a log that the runtime copies to a few listeners. To write to each listener takes the
 * object several times as long. The copies keep pace with the slowest listener.
 */
export class SharedStream {
  readonly id = crypto.randomUUID();
  readonly start: number;
  readonly shows: EventFilter;
  /** How the stream ended: cut if a listener took nothing, so that the others may lack something. */
  readonly ended: Promise<'closed' | 'cut'>;
  readonly #options: Options;
  readonly #settle: (end: 'closed' | 'cut') => void;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #timers: readonly ReturnType<typeof setTimeout>[];
  /** What listeners that join are given a copy of; null once none may join. */
  #source: ReadableStream<Uint8Array> | null;
  #listeners = 0;
  #sent: number;
  #writing: Promise<void> | null = null;
  #isEnding = false;
  #isOver = false;

  constructor(options: Options) {
    this.#options = options;
    this.start = options.start;
    this.shows = options.shows;
    this.#sent = options.start;
    const { readable, writable } = new IdentityTransformStream();
    this.#source = readable;
    this.#writer = writable.getWriter();
    const { promise, resolve } = Promise.withResolvers<'closed' | 'cut'>();
    this.ended = promise;
    this.#settle = resolve;
    this.#timers = [
      setTimeout(() => this.#letNobodyJoin(), openMs),
      setInterval(() => this.#sendHeartbeat(), heartbeatMs),
      setTimeout(() => void this.#endWith(comeBackBytes), longestMs),
    ];
  }

  /** Whether a listener that has the events up to `start` may join. */
  get isOpen(): boolean {
    return this.#source !== null;
  }

  /** Returns a copy of the stream from its start. The signal reports that the listener has disconnected. */
  join(signal: AbortSignal): Response {
    if (this.#source === null) throw new Error('nobody may join this stream any more');
    const [copy, source] = this.#source.tee();
    this.#source = source;
    this.#listeners += 1;
    signal.addEventListener('abort', () => this.#leave(), { once: true });
    if (this.#listeners === mostListeners) this.#letNobodyJoin();
    this.#options.idle();
    return new Response(copy, { headers: { [sharedStreamHeader]: this.id } });
  }

  /**
   * Sends what is next, unless there is nobody to take it, or somebody who has yet to take what was sent before. Returns
   * whether it sent something.
   */
  sendNext(read: ReadNext): boolean {
    if (this.#isEnding || this.#writing !== null) return false;
    const next = read(this.#sent, this.shows);
    if (next === 'end') {
      void this.#endWith(endBytes);
      return true;
    }
    if (next === null || this.#listeners === 0) return false;
    this.#sent = next.last;
    this.#write(next.bytes);
    return true;
  }

  #sendHeartbeat(): void {
    if (!this.#isEnding && this.#writing === null && this.#listeners > 0) this.#write(heartbeatBytes);
  }

  #write(bytes: Uint8Array): void {
    const stuck = setTimeout(() => this.#end('cut'), stuckMs);
    const written = (): void => {
      clearTimeout(stuck);
      this.#writing = null;
      this.#options.idle();
    };
    this.#writing = this.#writer.write(bytes).then(written, () => {
      clearTimeout(stuck);
      this.#end('cut');
    });
  }

  #leave(): void {
    this.#listeners -= 1;
    if (this.#listeners === 0) this.#end('closed');
  }

  #letNobodyJoin(): void {
    this.#dropSource();
    if (this.#listeners === 0) this.#end('closed');
  }

  /** A copy that nobody reads would be kept in memory. */
  #dropSource(): void {
    void this.#source?.cancel();
    this.#source = null;
  }

  async #endWith(bytes: Uint8Array): Promise<void> {
    this.#isEnding = true;
    await this.#writing;
    if (this.#listeners > 0) this.#write(bytes);
    await this.#writing;
    this.#end('closed');
  }

  #end(how: 'closed' | 'cut'): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isEnding = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#dropSource();
    this.#options.ended();
    this.#settle(how);
    // What is broken already cannot be closed, and need not be.
    const closing = how === 'cut' || this.#listeners === 0 ? this.#writer.abort() : this.#writer.close();
    closing.catch(() => {});
  }
}
