import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevelopment, type Development } from '../scripts/development.ts';
import { sayer, type BenchOptions } from './options.ts';

/** Measures on a Worker as `npm start` runs it, with a storage of its own; both are gone afterwards. */
export async function withWorker(
  options: BenchOptions,
  measure: (worker: Development) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  const { port, gatewayPort, modelsPort } = options;
  try {
    const worker = await startDevelopment({ folder, port, gatewayPort, modelsPort, log: sayer(options) });
    try {
      await measure(worker);
    } finally {
      await worker.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
