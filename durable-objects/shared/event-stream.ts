import { answeredUntilHeader, cutStatus, sharedStreamParameter } from '#core/values/event-stream-answer.ts';
import {
  shareReads,
  showsEveryEvent,
  streamLoggedEvents,
  type EventFilter,
  type StreamedLog,
} from './logged-events.ts';
import { SharedStream } from './shared-stream.ts';

/** Events of this time go out together: a listener costs something for each piece that it gets, not for each event. */
const restMs = 60;

/**
 * Serves a log to any number of listeners as server-sent events: what a listener lacks at its own pace, then what is new
 * from a stream that it shares with others. The Worker joins the two (`src/api/joined-event-stream.ts`), so that every
 * listener gets each event once, in order, without gaps.
 */
export class EventStream {
  readonly #log: StreamedLog;
  readonly #shared = new Map<string, SharedStream>();
  #resting = false;
  #hasNews = false;

  constructor(log: StreamedLog) {
    this.#log = log;
  }

  /**
   * Sends the listeners what is new in the log as soon as the present transaction is over, and then rests: what is logged
   * meanwhile goes out together.
   */
  notifyListeners(): void {
    this.#hasNews = this.#shared.size > 0;
    if (!this.#hasNews || this.#resting) return;
    this.#resting = true;
    queueMicrotask(() => this.#sendNews());
  }

  /**
   * Answers the Worker, which asks for the events after an id: with those that the listener lacks, with a shared stream
   * of what is new, or with status 204 if nothing will ever follow. Events that `shows` rejects appear only with their
   * numbers.
   */
  async makeResponse(request: Request, shows: EventFilter = showsEveryEvent): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const named = searchParams.get(sharedStreamParameter);
    if (named !== null) return this.#waitForEnd(named);
    const after = Number(searchParams.get('after') ?? '0');
    const last = this.#log.lastId();
    if (this.#log.isComplete()) return after < last ? this.#sendLogged(after, last, shows) : noMoreEvents();
    const open = this.#findOpenStreamOrNull(after, shows) ?? this.#openStream(last, shows);
    return after < open.start ? this.#sendLogged(after, open.start, shows) : open.join(request.signal);
  }

  #sendNews(): void {
    this.#hasNews = false;
    const read = shareReads(this.#log);
    const sent = [...this.#shared.values()].filter((stream) => stream.sendNext(read));
    if (sent.length > 0) setTimeout(() => this.#endRest(), restMs);
    else this.#endRest();
  }

  #endRest(): void {
    this.#resting = false;
    if (this.#hasNews) this.notifyListeners();
  }

  #sendLogged(after: number, until: number, shows: EventFilter): Response {
    return new Response(streamLoggedEvents(this.#log, { after, until, shows }), {
      headers: { [answeredUntilHeader]: `${until}` },
    });
  }

  async #waitForEnd(id: string): Promise<Response> {
    const end = await (this.#shared.get(id)?.ended ?? 'cut');
    return end === 'cut' ? new Response(null, { status: cutStatus }) : noMoreEvents();
  }

  #findOpenStreamOrNull(after: number, shows: EventFilter): SharedStream | null {
    const streams = [...this.#shared.values()];
    return streams.find((stream) => stream.isOpen && stream.shows === shows && stream.start >= after) ?? null;
  }

  #openStream(start: number, shows: EventFilter): SharedStream {
    const stream = new SharedStream({
      start,
      shows,
      idle: () => this.notifyListeners(),
      ended: () => void this.#shared.delete(stream.id),
    });
    this.#shared.set(stream.id, stream);
    return stream;
  }
}

const noMoreEvents = (): Response => new Response(null, { status: 204 });
