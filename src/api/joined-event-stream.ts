import {
  answeredUntilHeader,
  cutStatus,
  endBytes,
  greetingBytes,
  sharedStreamHeader,
  sharedStreamParameter,
} from '#core/values/event-stream-answer.ts';

/** Whose events a listener gets: the last one that it has, and who is asked for those after it. */
export interface Listened {
  readonly after: string;
  /** Asks the object that has the events. */
  readonly ask: (parameters: Readonly<Record<string, string>>) => Promise<Response>;
  /** Keeps the Worker alive until the listener has left. */
  readonly waitUntil: (end: Promise<void>) => void;
}

/**
 * Returns the events after an id as one stream: those that the listener lacks, piece by piece, and then those of a shared
 * stream. If that is cut, so is the listener, who comes back for what it lacks. Any other status than 200 is the
 * object's answer.
 */
export async function joinEventStream(listened: Listened): Promise<Response> {
  const first = await listened.ask({ after: listened.after });
  if (first.status !== 200) return first;
  const { readable, writable } = new IdentityTransformStream();
  listened.waitUntil(sendAnswersOrCut(listened, first, writable));
  return new Response(readable, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  });
}

/** Cuts the listener where something fails; one that has left makes the sending fail too. */
async function sendAnswersOrCut(
  listened: Listened,
  first: Response,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  try {
    await sendAnswers(listened, first, writable);
  } catch (error) {
    // A stream that failed while it was sent has ended already, and refuses.
    await writable.abort(error).catch(() => {});
  }
}

async function sendAnswers({ ask }: Listened, first: Response, writable: WritableStream<Uint8Array>): Promise<void> {
  await write(writable, greetingBytes);
  let answer = first;
  for (;;) {
    const until = answer.headers.get(answeredUntilHeader);
    if (until === null) break;
    await answer.body?.pipeTo(writable, { preventClose: true });
    answer = await ask({ after: until });
  }
  if (answer.status === 200) return sendSharedStream(ask, answer, writable);
  // What had events when the listener came and has none now was deleted.
  if (answer.status !== 204 && answer.status !== 404) throw new Error(`the events ended with status ${answer.status}`);
  await write(writable, endBytes);
  await writable.close();
}

async function sendSharedStream(
  ask: Listened['ask'],
  { headers, body }: Response,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  const cut = new AbortController();
  const cutIfStreamIs = async (): Promise<void> => {
    const end = await ask({ [sharedStreamParameter]: headers.get(sharedStreamHeader) ?? '' });
    if (end.status === cutStatus) cut.abort();
  };
  await Promise.all([body?.pipeTo(writable, { signal: cut.signal }), cutIfStreamIs()]);
}

async function write(writable: WritableStream<Uint8Array>, bytes: Uint8Array): Promise<void> {
  const writer = writable.getWriter();
  try {
    await writer.write(bytes);
  } finally {
    writer.releaseLock();
  }
}
