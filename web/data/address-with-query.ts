/** Returns an address with some values of its query changed; null takes one away. */
export function addressWithQuery(
  path: string,
  query: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string | null>>,
): string {
  const kept = Object.entries<string | null>({ ...query, ...change }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept).toString()}`;
}
