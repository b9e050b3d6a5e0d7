import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';
import { startStubServers, type StubServers } from '../bench/stubs/stub-mcp-server.ts';
import { startStubModels, type StubModels } from '../bench/stubs/stub-models.ts';
import { doubtfulCritic } from '../bench/stubs/stub-answers.ts';
import { createClient, type Client } from '../client/client.ts';
import { findFreePortsByName } from '../engine/free-ports.ts';
import { stubServerIds } from '../tests/support/stub-benchmark.ts';
import { claimNext } from '../tests/support/outside-agent.ts';
import { startSextantOnThisMachine } from '../engine/development.ts';

/**
 * `node scripts/storage-fixture.ts FILE`: lets this checkout's code write some of everything, and saves the storage to
 * a file, for the test in which later releases open it. tests/README.md explains when.
 */
const made = z.object({ type: z.string(), name: z.string(), sql: z.string() });
const named = z.object({ name: z.string() });
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node scripts/storage-fixture.ts FILE');

const folder = mkdtempSync(join(tmpdir(), 'sextant-storage-'));
const [stubs, models, ports] = await Promise.all([
  startStubServers({ servers: 2, toolsPerServer: 3 }),
  startStubModels(),
  findFreePortsByName(['port', 'gatewayPort', 'modelsPort']),
]);
try {
  const running = await startSextantOnThisMachine({ ...ports, folder, log: console.error });
  try {
    await storeEveryKindOfData(createClient(running), running, stubs, models);
  } finally {
    await running.stop();
  }
  const objects = readStoredObjects(join(folder, 'state/v3/do'));
  writeFileSync(file, objects.map((object) => `${JSON.stringify(object)}\n`).join(''));
  console.log(objects.map(({ kind, name }) => `${kind} ${name}`).join('\n'));
} finally {
  await Promise.all([stubs.close(), models.close()]);
  rmSync(folder, { recursive: true, force: true });
}

/** Uses every kind of object. Some runs are over, some are paused, some wait for a person. */
async function storeEveryKindOfData(
  client: Client,
  to: { readonly url: string; readonly key: string },
  stubs: StubServers,
  models: StubModels,
): Promise<void> {
  const endpoint = { baseUrl: models.url, model: 'stub' };
  const catalog = (await client.catalogs.create(await stubServerIds(client, stubs, 2))).id;
  const explore = (more: object, critic = 'stub') =>
    client.explorations.create({
      catalog,
      batch: 2,
      budget: { rounds: 2 },
      models: { writer: endpoint, critic: { ...endpoint, model: critic }, agent: endpoint },
      ...more,
    });

  await storeKnowledge(client);

  const explored = await explore({ name: 'explored' });
  await client.explorations.wait(explored.id);
  const evolved = await client.evolutions.create(explored.id, { batch: 2, budget: { batches: 1 } });
  await client.evolutions.wait(explored.id, evolved.number);
  const reviewed = await explore({ name: 'reviewed', seed: 2 }, doubtfulCritic);
  await client.explorations.wait(reviewed.id);
  const paused = await explore({ name: 'paused', budget: { rounds: 1_000 } });
  await client.explorations.pause(paused.id);

  const benchmark = await client.benchmarks.freeze({
    explorations: [explored.id],
    name: 'b',
    seed: 1,
    privateShare: 0.2,
  });
  const judged = {
    benchmark: benchmark.id,
    judge: { ...endpoint, model: 'judge' },
    embedder: { ...endpoint, model: 'embedder' },
  };
  const modelAgent = { name: 'model', model: 'agent', endpoint: { baseUrl: models.url, apiKey: '' } };
  const over = await client.evaluations.create({ ...judged, name: 'over', agents: [modelAgent], recording: 'record' });
  await client.evaluations.wait(over.id);

  const outside = { name: 'outside', loop: 'external' as const };
  const claimed = await client.evaluations.create({
    ...judged,
    name: 'claimed',
    agents: [outside],
    trials: 2,
    judges: false,
  });
  await callToolOnceAndLeaveAttemptOpen(await claimNext({ ...to, evaluation: claimed.id, agent: outside.name }));

  const board = await client.leaderboards.create({ benchmark: benchmark.id, name: 'board', trials: 1 });
  const submitted = await client.submissions.create({
    tier: 'service',
    leaderboard: board.id,
    name: 'first',
    agent: { model: 'agent', endpoint: { baseUrl: models.url, apiKey: '' } },
  });
  await client.submissions.wait(submitted.id);
  await client.keys.create('reader', ['read']);
}

async function storeKnowledge(client: Client): Promise<void> {
  const index = await client.knowledge.create({ name: 'three texts' });
  const passage = (id: string, text: string) => JSON.stringify({ id, text, source: 'nobody' });
  await client.knowledge.load(
    index.id,
    new Blob([[passage('p1', 'alpha'), passage('p2', 'beta'), passage('p3', 'gamma')].join('\n')]),
  );
}

/** Makes one call of an attempt, which stays open. */
async function callToolOnceAndLeaveAttemptOpen(claim: Awaited<ReturnType<typeof claimNext>>): Promise<void> {
  if (claim.status !== 'claimed') throw new Error(`there is nothing to claim: ${claim.status}`);
  const { url, headers } = claim.attempt.mcp;
  const agent = new McpClient({ name: 'outside', version: '1' });
  await agent.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const [tool] = (await agent.listTools()).tools;
  await agent.callTool({ name: tool?.name ?? '', arguments: { text: 'alpha' } });
  await agent.close();
}

/** Returns the tables and rows of every object that stored something. */
function readStoredObjects(root: string) {
  const found = readdirSync(root).flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
      .map((name) => readStoredObject(folder.replace(/^sextant-/, ''), join(root, folder, name))),
  );
  return found.filter(({ tables }) => Object.values(tables).some((rows) => rows.length > 0));
}

function readStoredObject(kind: string, path: string) {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const all = z
      .array(made)
      .parse(database.prepare('SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL').all());
    const ours = all.filter(({ name }) => !/^(_cf_|__miniflare_|sqlite_)/.test(name));
    const tables = ours
      .filter(({ type }) => type === 'table')
      .map(({ name }) => [name, database.prepare(`SELECT * FROM "${name}"`).all().map(toJsonRow)] as const);
    // The emulator keeps the name there. A benchmark has none, because it clears its storage before it is filled.
    const isNamed = all.some(({ name }) => name === '__miniflare_do_name');
    const name = isNamed ? named.parse(database.prepare('SELECT name FROM __miniflare_do_name').get()).name : null;
    return { kind, name, schema: ours.map(({ sql }) => sql), tables: Object.fromEntries(tables) };
  } finally {
    database.close();
  }
}

/** Converts a row to JSON. */
function toJsonRow(row: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
    ]),
  );
}
