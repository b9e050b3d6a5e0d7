import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { allTransitions } from '#core/exploration/reading-record.ts';
import { mountingName } from '#core/units/mounting/mounting.ts';
import { defaultProtocol, protocolKey, protocols, scorersOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { handleKept } from '#core/scoring/handle-kept.ts';
import { refusal } from '#core/scoring/refusal.ts';
import { benchmarkLine, type BenchmarkLine } from '#core/benchmarks/benchmark.ts';
import { findFreePortsByName } from '../../engine/free-ports.ts';
import { startSextantOnThisMachine } from '../../engine/development.ts';
import { breachesIn } from '../support/platform/report.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'sextant-demo-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const interval = { low: z.number(), high: z.number() };
const score = z.object({
  mean: z.number(),
  ...interval,
  n: z.int().min(2),
  unscored: z.int(),
});
/** Hardly any of the demo's servers return handles, and tools fit all of its units. */
const rareScore = score.extend({
  mean: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  n: z.int(),
});
const rareKeys: readonly string[] = [handleKept.key, refusal.key];
const sgvefKeys = scorersOfProtocol('sgvef').map(({ key }) => key);
const agent = z.strictObject({
  name: z.string(),
  rank: z.int(),
  tier: z.literal('service'),
  units: z.int(),
  scores: z.strictObject(Object.fromEntries(sgvefKeys.map((key) => [key, rareKeys.includes(key) ? rareScore : score]))),
  // The offline models have no price.
  costUsd: z.null(),
  tokens: z.int().min(1),
});
const summary = z.strictObject({
  servers: z.int(),
  tools: z.int(),
  domains: z.int(),
  rounds: z.int(),
  units: z.strictObject({
    accepted: z.int(),
    review: z.int(),
    rejected: z.int(),
    lost: z.int(),
    dropped: z.int(),
    probes: z.int(),
  }),
  grounded: z.int(),
  evolved: z.int(),
  duplicatesDropped: z.int(),
  reviews: z.int(),
  nodeCoverage: z.number(),
  toolsExecuted: z.int(),
  transitions: z.int(),
  valuesPassed: z.int(),
  allTransitions,
  probeCoverage: z.strictObject({ value: z.number(), ...interval, anytimeLow: z.number() }),
  tokens: z.int(),
  benchmark: z.string(),
  file: z.string(),
  leaderboard: z.strictObject({ id: z.string(), benchmark: z.string(), url: z.string(), page: z.string() }),
  agents: z.array(agent),
  protocols: z.array(
    z.strictObject({
      protocol: protocolKey,
      mounting: z.string(),
      agent: z.string(),
      headline: score,
    }),
  ),
  rankingTauB: z.array(z.array(z.number().min(-1).max(1).nullable())),
  seconds: z.strictObject({
    loading: z.number(),
    charting: z.number(),
    evolution: z.number(),
    evaluation: z.number(),
    protocols: z.number(),
  }),
});

// Half of the demo's rounds: other tests share the machine, and what the rest of the rounds adds is more of the same.
test('the demo charts the real servers, writes a benchmark file, and ranks the simulated agents on a leaderboard', async () => {
  const { code, output, noted } = await run(['--json', '--rounds', '20', '--out', join(folder, 'benchmark.jsonl')]);
  expect(code, noted).toBe(0);
  expect(breachesIn(noted)).toEqual([]);
  const lines = output.trim().split('\n');
  expect(lines).toHaveLength(1);
  const seen = summary.parse(JSON.parse(lines[0] ?? ''));
  expect(seen.servers).toBeGreaterThanOrEqual(14);
  expect(seen.tools).toBeGreaterThanOrEqual(130);
  expect(seen.domains).toBeGreaterThanOrEqual(6);
  expect(seen.toolsExecuted).toBeGreaterThanOrEqual(115);
  expect(seen.units.accepted).toBeGreaterThanOrEqual(150);
  expect(seen.transitions).toBeGreaterThanOrEqual(200);
  expect(seen.valuesPassed).toBeGreaterThanOrEqual(seen.transitions / 3);
  expect(seen.seconds.charting).toBeLessThanOrEqual(300);
  expect(seen.evolved).toBeGreaterThanOrEqual((seen.units.accepted - seen.duplicatesDropped) / 2);
  const accepted = seen.units.accepted + seen.evolved;
  expect(seen.grounded).toBeGreaterThanOrEqual(accepted / 5);
  expect(seen.reviews).toBeGreaterThanOrEqual(0);
  expect(seen.seconds.loading).toBeGreaterThan(0);
  expect(seen.seconds.loading).toBeLessThanOrEqual(30);
  const units = Object.values(seen.units).reduce((sum, each) => sum + each, 0);
  expect(units % seen.rounds).toBe(0);

  // Hasty and forgetful hardly ever succeed, so either may lead on so few units.
  const names = seen.agents.map(({ name }) => name);
  expect(names[0]).toBe('steady');
  expect(names.toSorted()).toEqual(['forgetful', 'hasty', 'steady']);
  // A sample of 60, of which none is private.
  const [publicUnits = 0, ...others] = seen.agents.map(({ units }) => units);
  expect(others).toEqual([publicUnits, publicUnits]);
  expect(publicUnits).toBeLessThanOrEqual(60);
  expect(publicUnits).toBeGreaterThanOrEqual(50);
  const [first, ...ranks] = seen.agents.map(({ rank }) => rank);
  expect([first, ranks[0]]).toEqual([1, 2]);
  expect([2, 3]).toContain(ranks[1]);
  const tcsOf = (wanted: string) => seen.agents.find(({ name }) => name === wanted)?.scores.tcs;
  const [steady, hasty, forgetful] = ['steady', 'hasty', 'forgetful'].map(tcsOf);
  expect(steady?.mean).toBeGreaterThan(hasty?.mean ?? Infinity);
  expect(hasty?.mean).toBeGreaterThan(forgetful?.mean ?? Infinity);
  expect(steady?.low).toBeGreaterThan(forgetful?.high ?? Infinity);
  expect(seen.seconds.evaluation).toBeGreaterThan(0);
  // Those under disturbances take many attempts a unit: `sextant disturb` shows them.
  const shownProtocols = protocols.filter(({ key, unitKind }) => key === defaultProtocol || unitKind === 'task');
  expect(new Set(seen.protocols.map(({ protocol }) => protocol))).toEqual(
    new Set(shownProtocols.map(({ key }) => key)),
  );
  for (const { headline } of seen.protocols) expect(headline.n + headline.unscored).toBeGreaterThanOrEqual(10);
  for (const { key, mountings } of shownProtocols) {
    const shown = seen.protocols.flatMap(({ protocol, mounting }) => (protocol === key ? [mounting] : []));
    expect(new Set(shown)).toEqual(new Set(mountings.map(mountingName)));
  }
  const steadyUnder = seen.protocols.filter(({ agent }) => agent === 'steady');
  // Under live-mcp-bench it has to find its tools first.
  expect(
    steadyUnder.every(({ headline, protocol }) => headline.mean > (protocol === 'live-mcp-bench' ? 0.1 : 0.5)),
  ).toBe(true);
  expect(Object.values(seen.seconds).reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(600);

  const file = fileLines(seen.file);
  const kept = file.flatMap((line) => (line.type === 'unit' && line.unit.kind !== 'task' ? [line.unit] : []));
  expect(kept.length).toBeLessThanOrEqual(accepted);
  const leftOut = file.reduce(
    (sum, line) =>
      line.type === 'benchmark' ? sum + (line.unprovenLeftOut ?? 0) + (line.nearDuplicatesLeftOut ?? 0) : sum,
    0,
  );
  expect(kept.length).toBeGreaterThanOrEqual(accepted - seen.duplicatesDropped - leftOut);
  expect(kept.filter(({ facts }) => facts.length > 0)).toHaveLength(seen.grounded);
  const variants = kept.filter(({ provenance }) => provenance.lineage !== undefined).length;
  expect(variants).toBeLessThanOrEqual(seen.evolved);
  expect(variants).toBeGreaterThanOrEqual(seen.evolved - leftOut);
  expect(file.filter(({ type }) => type === 'tool')).toHaveLength(seen.tools);

  await leaderboardIsThereAgain(seen.leaderboard);
});

/** What the demo prints: its service can be started again, and has the leaderboard. Here it is on another port. */
async function leaderboardIsThereAgain(board: { readonly url: string; readonly page: string }): Promise<void> {
  const ports = await findFreePortsByName(['port', 'gatewayPort', 'modelsPort']);
  const service = await startSextantOnThisMachine({ folder: join(root, '.sextant/demo'), ...ports, log: () => {} });
  try {
    for (const address of [board.url, board.page]) {
      const { pathname } = new URL(address);
      const answer = await fetch(`${service.url}${pathname}`);
      expect(answer.status).toBe(200);
      const text = await answer.text();
      for (const name of ['steady', 'hasty', 'forgetful']) expect(text).toContain(name);
    }
  } finally {
    await service.stop();
  }
}

function fileLines(file: string): BenchmarkLine[] {
  const texts = readFileSync(file, 'utf8').trimEnd().split('\n');
  return texts.map((text) => benchmarkLine.parse(JSON.parse(text)));
}

function run(args: readonly string[]): Promise<{ code: number | null; output: string; noted: string }> {
  const child = spawn(process.execPath, [join(root, 'client/demo.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, noted] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (noted += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output, noted })));
}
