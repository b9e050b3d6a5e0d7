import { join } from 'node:path';
import { defaultFolder } from '../../engine/installation.ts';
import { startSextantOnThisMachine } from '../../engine/development.ts';
import { usualPorts } from '../../engine/usual-ports.ts';
import { createClient, type Client } from '../client.ts';
import { findFreePortsByName } from '../../engine/free-ports.ts';

/** Where the last check keeps everything. */
export const checkFolder = join(defaultFolder, 'check');

/** A Sextant of this machine that runs for one check. */
export interface LocalSextant extends AsyncDisposable {
  readonly client: Client;
}

/** Starts an empty Sextant next to anything else that runs on this machine; it ends when it is disposed. */
export async function startEmptyLocalSextant(signal: AbortSignal, log: (line: string) => void): Promise<LocalSextant> {
  const ports = await findFreePortsByName(['port', 'gatewayPort', 'modelsPort'], usualPorts);
  const options = { ...ports, folder: checkFolder, fresh: true, servers: null, signal, log };
  const { url, key, stop } = await startSextantOnThisMachine(options);
  return { client: createClient({ url, key, signal }), [Symbol.asyncDispose]: stop };
}
