/** A body out of pieces of text; null is its end. Reads only as fast as the client does. */
export function textStream(next: () => Promise<string | null>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      let text = await next();
      // An empty piece would be an empty chunk, which ends a chunked body.
      while (text === '') text = await next();
      if (text === null) controller.close();
      else controller.enqueue(encoder.encode(text));
    },
  });
}
