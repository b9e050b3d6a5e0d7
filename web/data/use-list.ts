import { useEffect, useState } from 'preact/hooks';
import { errorText } from './use-loaded.ts';

/** A list that arrives page by page. */
export interface ArrivingList<T> {
  readonly items: readonly T[];
  readonly done: boolean;
  readonly problem: string | null;
}

/** Milliseconds that arrived items are collected before they are shown: to show them may take as long. */
const collectMs = 100;

/** Reads a list, shows what has arrived, and reads it again when one of the inputs changes, without a gap. */
export function useArrivingList<T>(
  read: (signal: AbortSignal) => AsyncIterable<T>,
  inputs: readonly unknown[],
): ArrivingList<T> {
  const [list, setList] = useState<ArrivingList<T>>({ items: [], done: false, problem: null });
  useEffect(() => {
    const left = new AbortController();
    const show = (next: ArrivingList<T>): void => {
      if (left.signal.aborted) return;
      setList((shown) => (next.done || next.items.length >= shown.items.length ? next : shown));
    };
    // A timer fires between the pages of a list, never between the items of one. A clock that is read at each item shows
    // item after item as soon as showing takes longer than `collectMs`.
    let showing: ReturnType<typeof setTimeout> | undefined;
    const readAll = async (): Promise<void> => {
      const items: T[] = [];
      const showArrived = (): void => {
        showing = undefined;
        show({ items: [...items], done: false, problem: null });
      };
      try {
        for await (const item of read(left.signal)) {
          items.push(item);
          showing ??= setTimeout(showArrived, collectMs);
        }
      } finally {
        clearTimeout(showing);
      }
      show({ items, done: true, problem: null });
    };
    readAll().catch((error: unknown) => {
      if (!left.signal.aborted) setList((shown) => ({ ...shown, done: true, problem: errorText(error) }));
    });
    return () => left.abort();
  }, inputs);
  return list;
}
