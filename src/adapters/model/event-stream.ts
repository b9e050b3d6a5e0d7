import { createParser } from 'eventsource-parser';

/** The result of a stream of events. `body` has the form of an unstreamed answer. */
export type StreamedCompletion =
  | { readonly kind: 'complete'; readonly body: unknown }
  /** The endpoint reported an error within the stream. */
  | { readonly kind: 'error'; readonly error: unknown; readonly usage: unknown }
  | { readonly kind: 'malformed' }
  /** The stream ended before the answer did. */
  | { readonly kind: 'cut' }
  /** The answer exceeds the size limit. */
  | { readonly kind: 'endless' };

/** Puts an answer together from its events. */
export interface StreamAssembly {
  /** Whether the answer is complete, except perhaps for its usage. */
  readonly isFinished: boolean;
  /** The characters of the answer so far. */
  readonly chars: number;
  /** Adds an event; returns what the stream came to if that ends it. */
  addEventAndGetEndIfAny(json: unknown): StreamedCompletion | null;
  makeCompletion(): StreamedCompletion;
}

const mostChars = 4 * 1024 * 1024;

/** Puts a streamed answer together while its bytes arrive. */
export class EventReader {
  readonly #answer: StreamAssembly;
  readonly #events: string[] = [];
  readonly #parser = createParser({ onEvent: ({ data }) => void this.#events.push(data) });
  readonly #decoder = new TextDecoder();

  constructor(answer: StreamAssembly) {
    this.#answer = answer;
  }

  /** Adds bytes; returns what the stream came to if they end it. */
  addBytesAndGetEndIfAny(bytes: Uint8Array): StreamedCompletion | null {
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
    for (const data of this.#events.splice(0)) {
      if (data === '[DONE]') return this.#answer.makeCompletion();
      const end = this.#answer.addEventAndGetEndIfAny(parseJsonOrUndefined(data));
      if (end !== null) return end;
      if (this.#answer.chars > mostChars) return { kind: 'endless' };
    }
    return null;
  }

  /** Returns what the stream came to that ended by itself. */
  makeCompletionAtEndOfStream(): StreamedCompletion {
    return this.#answer.isFinished ? this.#answer.makeCompletion() : { kind: 'cut' };
  }
}

/**
 * Reads a streamed answer to its end: the event that ends it, `[DONE]`, or the end of the stream after the answer is finished. Rejects like
 * reading the body does, unless the answer is complete by then; `signal` cuts it off.
 */
export async function readEventStreamIntoCompletion(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  answer: StreamAssembly,
): Promise<StreamedCompletion> {
  const events = new EventReader(answer);
  const reader = body.getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', leave, { once: true });
  try {
    for (;;) {
      const { done, value } = await readNextBytesOrEnd(reader, answer);
      if (done) return events.makeCompletionAtEndOfStream();
      const end = events.addBytesAndGetEndIfAny(value);
      if (end !== null) return end;
    }
  } finally {
    // Nothing more is needed, and an endpoint that keeps the connection open must not delay the answer.
    leave();
    signal.removeEventListener('abort', leave);
  }
}

/** Reads the next bytes. If the stream breaks after the answer is finished, only the usage is lost. */
const readNextBytesOrEnd = (reader: ReadableStreamDefaultReader<Uint8Array>, answer: StreamAssembly) =>
  reader.read().catch((error: unknown) => {
    if (!answer.isFinished) throw error;
    return { done: true, value: undefined } as const;
  });

function parseJsonOrUndefined(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
