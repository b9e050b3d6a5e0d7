import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createClient, type Client } from '../../client/client.ts';
import { findFreePortsByName } from '../../engine/free-ports.ts';
import { startSextantOnThisMachine, type Development } from '../../engine/development.ts';
import { readReport } from '../support/platform/report.ts';
import { startScriptedModels } from '../support/scripted-models.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-cut-'));
const models = await startScriptedModels();
afterAll(async () => {
  await models.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends the beginning of an upload over a connection of its own, and cuts that once so many passages are in. */
async function cutUpload({ url, key }: Development, client: Client, id: string, text: string, passages: number) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    [
      `POST /v1/knowledge/${id}/passages HTTP/1.1`,
      `Host: ${hostname}`,
      `Authorization: Bearer ${key}`,
      'Content-Type: text/jsonl',
      // More is announced than comes.
      `Content-Length: ${2 * Buffer.byteLength(text)}`,
      '',
      text,
    ].join('\r\n'),
  );
  await expect.poll(async () => (await client.knowledge.get(id)).passages, { timeout: 30_000 }).toBe(passages);
  socket.destroy();
}

test('an interrupted upload keeps its complete batches, and sending it again loads the rest, even after a restart', async () => {
  const embedder = await models.make([]);
  const ports = await findFreePortsByName(['port', 'gatewayPort', 'modelsPort']);
  const vars = { EMBEDDER_BASE_URL: embedder.url, EMBEDDER_MODEL: 'any' };
  const start = () => startSextantOnThisMachine({ folder, ...ports, vars, log: () => {} });
  const lines = Array.from({ length: 5_000 }, (_, n) => `${JSON.stringify({ text: `The fact with number ${n}` })}\n`);
  let worker = await start();
  try {
    let client = createClient(worker);
    const { id } = await client.knowledge.create();
    await cutUpload(worker, client, id, lines.slice(0, 2_050).join(''), 2_000);
    await cutUpload(worker, client, id, lines.slice(0, 3_980).join(''), 3_900);
    await expect
      .poll(async () => {
        const seen: string[] = [];
        for await (const { event } of client.knowledge.events(id)) {
          if (event.type === 'load.failed') seen.push(`${event.line}`);
          if (seen.length === 2) break;
        }
        return seen;
      })
      .toEqual(['2000', '3900']);

    expect((await readReport(worker.url)).breaches).toEqual([]);
    await worker.stop();
    worker = await start();
    client = createClient(worker);
    const totals = await client.knowledge.load(id, new Blob(lines));
    expect(totals).toEqual({ lines: 5_000, loaded: 1_100, unchanged: 3_900 });
    expect((await client.knowledge.get(id)).passages).toBe(5_000);
    const asked = (await embedder.asked()).flatMap(({ messages }) => messages.map(({ content }) => content));
    const ours = asked.filter((text) => text.startsWith('The fact'));
    expect(ours).toHaveLength(5_000);
    expect(new Set(ours).size).toBe(5_000);
    const [nearest] = await client.knowledge.search(id, 'The fact with number 7');
    expect(nearest?.score).toBeGreaterThan(0.99);
    expect((await readReport(worker.url)).breaches).toEqual([]);
  } finally {
    await worker.stop();
  }
});
