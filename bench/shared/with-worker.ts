import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSextantOnThisMachine, type Development, type DevelopmentOptions } from '../../engine/development.ts';
import { makeInterruptionOnEndSignals } from '../../client/demo/interruption.ts';
import { makeLogOutsideJson, type BenchOptions } from './options.ts';

/** `log`, `signal`, `entry` and `servers` are those of the start; the default `log` is that of the measurement's progress. */
export type WorkerOptions = Omit<BenchOptions, 'smallest'> &
  Partial<Pick<DevelopmentOptions, 'log' | 'signal' | 'entry' | 'servers'>>;

/**
 * Measures on a Worker as `npm start` runs it, with its own storage; removes both afterwards, even after an
 * interruption. `restart` ends the Worker and starts another one on the same storage; `vars` are additional settings.
 */
export async function measureOnTemporaryWorker<T>(
  options: WorkerOptions,
  measure: (worker: Development, restart: () => Promise<Development>) => Promise<T>,
  vars: Readonly<Record<string, string>> = {},
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  const { json: _, ...settings } = options;
  const signal = settings.signal ?? makeInterruptionOnEndSignals().ending.signal;
  const start = (): Promise<Development> => {
    signal.throwIfAborted();
    return startSextantOnThisMachine({ log: makeLogOutsideJson(options), ...settings, signal, folder, vars });
  };
  let latest = start();
  const restart = async (): Promise<Development> => {
    await (await latest).stop();
    latest = start();
    return latest;
  };
  try {
    return await Promise.race([latest.then((worker) => measure(worker, restart)), rejectSoonAfterAbort(signal)]);
  } finally {
    // A failed start has already stopped what it had started.
    const [last] = await Promise.allSettled([latest]);
    if (last.status === 'fulfilled') await last.value.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Rejects some time after the signal aborts: a measurement that has its result aborts what is left over, and has to be
 * heard first.
 */
const rejectSoonAfterAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => setTimeout(() => reject(new Error('interrupted')), 0), { once: true });
  });
