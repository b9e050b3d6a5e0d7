/** Requests at a time: a list should not take long, and leave room for others. */
const atOnce = 8;

/** Reads the record of each item of a list, in its order. */
export async function* readRecordOfEachItem<Item, Read>(
  items: AsyncIterable<Item> | Iterable<Item>,
  read: (item: Item) => Promise<Read>,
): AsyncGenerator<Read, void, undefined> {
  let waiting: Item[] = [];
  for await (const item of items) {
    waiting.push(item);
    if (waiting.length < atOnce) continue;
    yield* await Promise.all(waiting.map(read));
    waiting = [];
  }
  yield* await Promise.all(waiting.map(read));
}
