import { CommandError } from '../../engine/usage-error.ts';
import { findFreePortsByName } from '../../engine/free-ports.ts';
import type { Development } from '../../engine/development.ts';
import { measureOnTemporaryWorker } from './with-worker.ts';

/** What to measure on. */
export interface ServersOptions {
  /** An `mcpServers` file; without it, the bundled MCP servers. */
  readonly servers?: string;
  readonly json: boolean;
  readonly log: (line: string) => void;
  /** Aborted when the measurement ends, so that nothing of it keeps running. */
  readonly ending: AbortController;
  /** Additional settings of the Worker. */
  readonly vars?: Readonly<Record<string, string>>;
}

/** Measures on a Worker with MCP servers, on free ports. Throws a CommandError if a part of it ends early. */
export async function measureOnTemporaryWorkerOnFreePorts<T>(
  { ending, vars = {}, ...options }: ServersOptions,
  measure: (worker: Development) => Promise<T>,
): Promise<T> {
  const ports = await findFreePortsByName(['port', 'gatewayPort', 'modelsPort']);
  const measureUntilEnd = async (worker: Development): Promise<T> => {
    const broken = worker.ended.then((how) => {
      throw new CommandError(how);
    });
    try {
      return await Promise.race([measure(worker), broken]);
    } finally {
      ending.abort();
    }
  };
  return measureOnTemporaryWorker({ ...ports, ...options, signal: ending.signal }, measureUntilEnd, vars);
}
