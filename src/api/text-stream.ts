/** Builds a body from pieces of text; null is its end. Reads only as fast as the client does. */
export function makeTextStream(next: () => Promise<string | null>): ReadableStream<Uint8Array> {
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

/**
 * Builds a body of `head` and of pages of items: each page is read after the last item of the previous one (null: from
 * the first), until one is empty.
 */
export function makePagedTextStream<Item>(
  head: string,
  read: (after: Item | null) => Promise<readonly Item[]>,
  formatItem: (item: Item) => string,
): ReadableStream<Uint8Array> {
  let before = head;
  let last: Item | null = null;
  return makeTextStream(async () => {
    if (before !== '') {
      const first = before;
      before = '';
      return first;
    }
    const items: readonly Item[] = await read(last);
    last = items.at(-1) ?? null;
    return last === null ? null : items.map(formatItem).join('');
  });
}
