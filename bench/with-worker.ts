import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevelopment, type Development } from '../scripts/development.ts';
import { sayer, type BenchOptions } from './options.ts';

/**
 * Measures on a Worker as `npm start` runs it, with a storage of its own; both are gone afterwards. `restart` ends the Worker and
 * starts another one on the same storage; `vars` are settings beside the usual ones.
 */
export async function withWorker(
  options: BenchOptions,
  measure: (worker: Development, restart: () => Promise<Development>) => Promise<void>,
  vars: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  const { port, gatewayPort, modelsPort } = options;
  const start = (): Promise<Development> =>
    startDevelopment({ folder, port, gatewayPort, modelsPort, vars, log: sayer(options) });
  try {
    let worker = await start();
    const restart = async (): Promise<Development> => {
      await worker.stop();
      worker = await start();
      return worker;
    };
    try {
      await measure(worker, restart);
    } finally {
      await worker.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
