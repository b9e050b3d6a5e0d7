import { z } from 'zod';
import { startModelServer } from './model-server.ts';
import { askedQuestion, started, type AskedQuestion, type Rule } from './script.ts';

/** Scripted models behind a local server, for tests in Node. */
export interface ScriptedModels {
  /** A model that follows a script; `url` is its base url. */
  make(script: readonly Rule[]): Promise<{ readonly url: string; asked(): Promise<readonly AskedQuestion[]> }>;
  close(): Promise<void>;
}

export async function startScriptedModels(): Promise<ScriptedModels> {
  const server = await startModelServer();
  return {
    async make(script) {
      const made = await fetch(`${server.url}/models`, { method: 'POST', body: JSON.stringify(script) });
      const { id, url } = started.parse(await made.json());
      return {
        url,
        asked: async () => z.array(askedQuestion).parse(await (await fetch(`${server.url}/models/${id}`)).json()),
      };
    },
    close: () => server.close(),
  };
}
