import { z } from 'zod';
import { indexRequest, madeIndex, type IndexRequest, type IndexRule, type IndexSpec } from './index-script.ts';

/** An index that speaks Upstash's protocol; `url` is its address. */
export interface ScriptedIndex {
  readonly url: string;
  tell(script: readonly IndexRule[]): Promise<void>;
  requests(): Promise<readonly IndexRequest[]>;
}

/** Creates and controls indexes on a server. */
export const indexMaker =
  (server: string) =>
  async (spec: IndexSpec = {}): Promise<ScriptedIndex> => {
    const made = await fetch(`${server}/indexes`, { method: 'POST', body: JSON.stringify(spec) });
    const { id, url } = madeIndex.parse(await made.json());
    const own = `${server}/indexes/${id}`;
    return {
      url,
      async tell(script) {
        const told = await fetch(`${own}/script`, { method: 'POST', body: JSON.stringify(script) });
        if (!told.ok) throw new Error(await told.text());
        await told.body?.cancel();
      },
      requests: async () => z.array(indexRequest).parse(await (await fetch(own)).json()),
    };
  };
