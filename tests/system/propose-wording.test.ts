import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { overlay } from '#core/evaluation/overlay/overlay.ts';
import { createClient, type Client } from '../../client/client.ts';
import { Output } from '../../client/command-line/output.ts';
import { parseLineToVerbOrHelp } from '../../client/command-line/parse-line.ts';
import { program } from '../../client/program.ts';
import { findFreePortsByName } from '../../engine/free-ports.ts';
import { startDevServer, type DevServer } from '../support/dev-server.ts';
import { followed } from '../support/followed-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-wording-'));
const out = join(folder, 'overlay.json');
let server: DevServer;
let client: Client;
let gateway: number;

beforeAll(async () => {
  const ports = await findFreePortsByName(['port', 'gatewayPort', 'modelsPort']);
  gateway = ports.gatewayPort;
  server = await startDevServer(folder, ports);
  client = createClient({ url: server.url, key: server.key });
});

afterAll(async () => {
  await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a verb of the command line; returns what it writes, and what it throws. */
async function run(...words: readonly string[]): Promise<{ readonly lines: string[]; readonly failure: unknown }> {
  const request = parseLineToVerbOrHelp(words, program);
  if (request.kind === 'help') throw new Error('no verb');
  const written: string[] = [];
  const output = new Output(words.includes('--json'), { write: (text) => written.push(text) }, { write: () => 0 });
  const context = { client, isServiceNamed: true, output, signal: new AbortController().signal };
  const failure: unknown = await request.command.run(request.given, context).then(
    () => null,
    (error: unknown) => error,
  );
  return { lines: written.join('').trim().split('\n'), failure };
}

async function evaluatedUnits(evaluation: string): Promise<string[]> {
  const units = new Set<string>();
  for await (const { unit } of client.evaluations.cases(evaluation)) units.add(unit);
  return [...units];
}

test(
  'a wording is proposed from some units of an evaluation and compared on the others',
  { timeout: 900_000 },
  async () => {
    const added = await Promise.all(
      ['calc', 'files'].map((name) =>
        client.servers.add({
          name,
          domain: name,
          url: `http://127.0.0.1:${gateway}/${name}/mcp`,
          allows: 'destroys',
        }),
      ),
    );
    const catalog = await client.catalogs.create(added.map(({ id }) => id));
    const explored = await client.explorations.create({ catalog: catalog.id, batch: 8, budget: { rounds: 2 } });
    await followed(client.explorations.events(explored.id)).ended;
    const benchmark = await client.benchmarks.freeze({ explorations: [explored.id], privateShare: 0, floor: false });
    const agents = [{ name: 'hasty', model: 'offline-hasty' }];
    const evaluation = await client.evaluations.create({ benchmark: benchmark.id, agents, judges: false });
    await followed(client.evaluations.events(evaluation.id)).ended;

    const proposed = await run('propose-wording', evaluation.id, '--out', out);
    expect(proposed.failure).toBeNull();
    expect(proposed.lines[0]).toMatch(
      /^Written by rules, which stand in for a model, from \d+ attempts at \d+ of \d+ units\.$/,
    );
    const made = overlay.parse(JSON.parse(readFileSync(out, 'utf8')));
    const seen = made.writtenFrom?.units ?? [];
    expect(made.writtenFrom).toMatchObject({ evaluation: evaluation.id, offline: true, model: 'offline-writer' });
    expect(Object.keys(made.tools).length).toBeGreaterThan(0);

    const compared = await run(
      ...`compare-wordings --benchmark ${benchmark.id} --model offline-hasty --a original --b ${out} --json`.split(' '),
    );
    const answer = JSON.parse(compared.lines.at(-1) ?? '');
    expect(answer.agents[1].overlay.writtenFrom).toEqual({ evaluation: evaluation.id, units: seen.length });
    const all = await evaluatedUnits(evaluation.id);
    const judged = await evaluatedUnits(answer.evaluation);
    expect(seen.length).toBeGreaterThan(0);
    expect(judged.length).toBeGreaterThan(0);
    expect(judged.filter((unit) => seen.includes(unit))).toEqual([]);
    expect([...judged, ...seen].toSorted()).toEqual(all.toSorted());
    expect(answer.comparison.of).toBe(judged.length);
  },
);
