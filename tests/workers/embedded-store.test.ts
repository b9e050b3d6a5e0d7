import { env } from 'cloudflare:workers';
import { makeObjectVectorStore } from '#adapters/vector/embedded-store.ts';
import { contractDimension, vectorStoreContract } from '../support/vector-store-contract.ts';
import { unique } from '../support/workspace.ts';

/** The embedded store does what Upstash does. */
vectorStoreContract('the embedded index', async () => {
  const id = unique('kn');
  const index = env.KNOWLEDGE_INDEX.getByName(id);
  const made = { id, embedding: 'embedder', model: 'test-embedder', dimension: contractDimension } as const;
  await index.create({
    summary: { ...made, name: '', store: 'embedded', createdAt: '2026-01-01T00:00:00.000Z' },
    connection: { ...made, store: { kind: 'embedded' } },
  });
  return makeObjectVectorStore(id, index);
});
