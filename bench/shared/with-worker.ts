import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevelopment, type Development, type DevelopmentOptions } from '../../scripts/development.ts';
import { listenForInterruption } from '../../client/demo/interruption.ts';
import { sayer, type BenchOptions } from './options.ts';

/** `log`, `signal` and `entry` are those of the start; without a `log`, progress goes where that of the measurement goes. */
export type WorkerOptions = BenchOptions & Partial<Pick<DevelopmentOptions, 'log' | 'signal' | 'entry'>>;

/**
 * Measures on a Worker as `npm start` runs it, with a storage of its own; both are gone afterwards, also when somebody
 * interrupts it. `restart` ends the Worker and starts another one on the same storage; `vars` are settings beside the usual ones.
 */
export async function withWorker<T>(
  options: WorkerOptions,
  measure: (worker: Development, restart: () => Promise<Development>) => Promise<T>,
  vars: Readonly<Record<string, string>> = {},
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  const { json: _, ...settings } = options;
  const signal = settings.signal ?? listenForInterruption().ending.signal;
  const start = (): Promise<Development> => {
    signal.throwIfAborted();
    return startDevelopment({ log: sayer(options), ...settings, signal, folder, vars });
  };
  let latest = start();
  const restart = async (): Promise<Development> => {
    await (await latest).stop();
    latest = start();
    return latest;
  };
  try {
    return await Promise.race([latest.then((worker) => measure(worker, restart)), interruption(signal)]);
  } finally {
    // One that failed to start has stopped what it had started.
    const [last] = await Promise.allSettled([latest]);
    if (last.status === 'fulfilled') await last.value.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const interruption = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true });
  });
