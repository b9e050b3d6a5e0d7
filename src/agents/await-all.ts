/**
 * Waits until all promises are settled, then returns their values, or throws what the first of them in order threw: so
 * nothing is still under way when the caller continues.
 */
export async function awaitAllOrThrow<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  const values: T[] = [];
  for (const promise of promises) values.push(await promise);
  return values;
}
