import { useEffect, useState } from 'preact/hooks';

/** Something that is read from the API. */
export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly problem: string }
  | { readonly state: 'loaded'; readonly value: T };

/** Loads something, and again when one of the inputs changes. Leaving the page aborts it. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  useEffect(() => {
    const left = new AbortController();
    load(left.signal).then(
      (value) => {
        if (!left.signal.aborted) setLoaded({ state: 'loaded', value });
      },
      (error: unknown) => {
        if (!left.signal.aborted) setLoaded({ state: 'failed', problem: errorText(error) });
      },
    );
    return () => left.abort();
  }, inputs);
  return loaded;
}

export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
