import { readTextChunks } from './read-lines.ts';
import type { Call, Transport } from './transport.ts';

/** Returns a function that requests a text and returns its chunks as they arrive. */
export const makeTextStreamRequester = (transport: Transport) =>
  async function* (
    at: string,
    query: NonNullable<Call['query']>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<string, void, undefined> {
    const { body } = await transport.requestResponseWithRetries({
      method: 'GET',
      path: at,
      query,
      repeatable: true,
      signal,
    });
    if (body !== null) yield* readTextChunks(body);
  };
