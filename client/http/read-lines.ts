import { ConnectionError } from './errors.ts';

/** A text as it arrives, in chunks that may be cut anywhere except within characters. */
export async function* readTextChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new ConnectionError('the answer was cut', { unsent: false, cause });
      });
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Returns the lines of a text that arrives in chunks. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const piece of readTextChunks(body)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
