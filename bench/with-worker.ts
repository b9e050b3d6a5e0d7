import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevelopment, type Development, type DevelopmentOptions } from '../scripts/development.ts';
import { sayer, type BenchOptions } from './options.ts';

/** `log`, `signal` and `entry` are those of the start; without a `log`, progress goes where that of the measurement goes. */
export type WorkerOptions = BenchOptions & Partial<Pick<DevelopmentOptions, 'log' | 'signal' | 'entry'>>;

/**
 * Measures on a Worker as `npm start` runs it, with a storage of its own; both are gone afterwards. `restart` ends the Worker and
 * starts another one on the same storage; `vars` are settings beside the usual ones.
 */
export async function withWorker<T>(
  options: WorkerOptions,
  measure: (worker: Development, restart: () => Promise<Development>) => Promise<T>,
  vars: Readonly<Record<string, string>> = {},
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  const { json: _, ...settings } = options;
  const start = (): Promise<Development> => startDevelopment({ log: sayer(options), ...settings, folder, vars });
  try {
    let worker = await start();
    const restart = async (): Promise<Development> => {
      await worker.stop();
      worker = await start();
      return worker;
    };
    try {
      return await measure(worker, restart);
    } finally {
      await worker.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
