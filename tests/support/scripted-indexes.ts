import { indexMaker } from './index-control.ts';
import { startUpstashServer } from './upstash-server.ts';

/** Scripted indexes behind a local server, for tests in Node. */
export interface ScriptedIndexes {
  readonly make: ReturnType<typeof indexMaker>;
  close(): Promise<void>;
}

export async function startScriptedIndexes(): Promise<ScriptedIndexes> {
  const server = await startUpstashServer();
  return { make: indexMaker(server.url), close: () => server.close() };
}
