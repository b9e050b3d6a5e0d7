import { toBase64 } from '#core/values/base64.ts';
import { evaluateToEnd, frozen, type TestBed } from './evaluation.ts';

/** What `workerSettings` gives the Worker of the tests. */
export const encryptionKey = toBase64(new Uint8Array(32).fill(7));

/** A workspace with two runs that can be shared, by their ids. For tests inside workerd. */
export async function prepareRunsToShare(): Promise<{
  readonly bed: TestBed;
  readonly evaluation: string;
  readonly exploration: string;
}> {
  const bed = await frozen(2);
  const { run: evaluation } = await evaluateToEnd(bed, ['one', 'two']);
  return { bed, evaluation, exploration: bed.benchmark.explorations[0] ?? '' };
}
