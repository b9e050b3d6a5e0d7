import { z } from 'zod';
import { embeddedPassages } from '../../offline/knowledge/passages.ts';
import { count } from '../command-line/text.ts';
import type { Sink } from '../command-line/output.ts';
import { path, Transport, type TransportOptions } from '../transport.ts';

const loaded = z.object({ lines: z.int(), loaded: z.int(), unchanged: z.int() });

/** What loading passages asks of the API. */
export interface KnowledgeCalls {
  create(index: { readonly name?: string }): Promise<{ readonly id: string }>;
  /** Loads a file of JSON Lines. */
  load(id: string, file: Blob): Promise<z.infer<typeof loaded>>;
}

/** An index that is full, and how long that took. */
export interface LoadedKnowledge {
  readonly index: string;
  readonly passages: number;
  readonly ms: number;
}

/** Makes an index of the passages that come with the repository. Their vectors are there already, so nothing is embedded. */
export async function loadKnowledge(
  client: { readonly knowledge: KnowledgeCalls },
  progress: Sink,
): Promise<LoadedKnowledge> {
  const began = Date.now();
  const { id } = await client.knowledge.create({ name: 'demo' });
  const lines: string[] = [];
  for await (const passage of embeddedPassages()) lines.push(`${JSON.stringify(passage)}\n`);
  const { loaded: passages, unchanged } = await client.knowledge.load(id, new Blob(lines));
  const ms = Date.now() - began;
  progress.write(`knowledge ${id}: ${count(passages + unchanged)} passages\n`);
  return { index: id, passages: passages + unchanged, ms };
}

const patience = { retries: 4, timeoutMs: 120_000, backoff: { firstMs: 250, capMs: 5_000 } } as const;

/** The calls, made as the client makes its own. */
export function knowledgeCalls(access: Pick<TransportOptions, 'url' | 'key' | 'signal'>): KnowledgeCalls {
  const transport = new Transport({
    ...access,
    ...patience,
    fetch: (address, init) => globalThis.fetch(address, init),
  });
  return {
    create: (index) =>
      transport.json(z.object({ id: z.string() }), {
        method: 'POST',
        path: '/v1/knowledge',
        json: index,
        headers: { 'idempotency-key': crypto.randomUUID() },
        repeatable: true,
      }),
    load: (id, file) =>
      transport.json(loaded, {
        method: 'POST',
        path: path`/v1/knowledge/${id}/passages`,
        upload: file,
        headers: { 'content-type': 'text/jsonl' },
        repeatable: true,
      }),
  };
}
