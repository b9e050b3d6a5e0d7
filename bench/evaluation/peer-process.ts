import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/**
 * Lets the peer make attempts, some at once, each with a session of its own, and prints how long they took together: what `--peer` of
 * `npm run bench:evaluation` runs, in a process of its own.
 */
const [folder = '', work = ''] = process.argv.slice(2);
const { models, attempts, concurrency } = z
  .object({
    models: z.string(),
    concurrency: z.int(),
    attempts: z.array(z.object({ server: z.string(), request: z.string() })),
  })
  .parse(JSON.parse(work));

/** The parts of the peer that we use. It is not installed when our types are checked. */
const peer = z.object({
  MCPClientManager: z.custom<new () => Manager>((value) => typeof value === 'function'),
  HostRunner: z.custom<new (config: object) => Runner>((value) => typeof value === 'function'),
});
interface Manager {
  connectToServer(id: string, config: { readonly url: string }): Promise<unknown>;
  getToolsForAiSdk(ids: readonly string[]): Promise<unknown>;
  disconnectServer(id: string): Promise<void>;
}
interface Runner {
  run(request: string): Promise<{ getToolCalls(): readonly unknown[]; hasError(): boolean; getError(): unknown }>;
}

const entry = join(folder, 'node_modules/@mcpjam/sdk/dist/index.js');
const { MCPClientManager, HostRunner } = peer.parse(await import(pathToFileURL(entry).href));
const provider = {
  name: 'stub',
  protocol: 'openai-compatible',
  baseUrl: models,
  modelIds: ['stub'],
  apiKey: 'none',
  useChatCompletions: true,
};

async function attempt({ server, request }: (typeof attempts)[number]): Promise<void> {
  const manager = new MCPClientManager();
  await manager.connectToServer('stub', { url: server });
  const tools = await manager.getToolsForAiSdk(['stub']);
  const runner = new HostRunner({
    tools,
    model: 'stub/stub',
    apiKey: 'none',
    customProviders: { stub: provider },
    maxSteps: 20,
  });
  const done = await runner.run(request);
  if (done.hasError() || done.getToolCalls().length !== 1)
    throw new Error(`an attempt of the peer failed: ${String(done.getError())}, ${done.getToolCalls().length} calls`);
  await manager.disconnectServer('stub');
}

// Compiles what all of them need.
for (const each of attempts.slice(0, concurrency)) await attempt(each);
const begunMs = performance.now();
const left = attempts.values();
await Promise.all(
  Array.from({ length: concurrency }, async () => {
    for (const each of left) await attempt(each);
  }),
);
console.log(JSON.stringify({ wallMs: performance.now() - begunMs }));
