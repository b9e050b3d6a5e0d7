import type { CatalogRecord } from '#core/catalog/server.ts';
import { makeTaskBenchmarkLines, makeUnitsWithoutRepeats } from '#core/benchmarks/formats/task-format.ts';
import { mountingName, oracleMounting, type Mounting } from '#core/units/mounting/mounting.ts';
import { getProtocol, protocolKey, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { liveMcpBench } from '#core/benchmarks/protocols/live-mcp-bench.ts';
import { sgvef } from '#core/benchmarks/protocols/sgvef.ts';
import { kendallTauB } from '#core/statistics/kendall.ts';
import type { Summary } from '#core/statistics/summary.ts';
import type { Client } from '../client.ts';
import type { Sink } from '../command-line/output.ts';
import { makePrintableLine } from '../command-line/text.ts';
import { CommandError } from '../../engine/usage-error.ts';
import { showEvaluationUntilEnd } from '../progress/follow.ts';
import { agentsOfKnownSkill, type LeaderboardOutcome } from './submit.ts';
import { listDemoTasks } from './tasks.ts';

/** What the agents scored under one protocol and mounting. */
export interface ProtocolRow {
  readonly protocol: ProtocolKey;
  /** The mounting's name. */
  readonly mounting: string;
  /** By agent, the protocol's headline. */
  readonly headlines: Readonly<Record<string, Summary>>;
}

/** The same agents under several protocols. */
export interface ProtocolComparison {
  readonly rows: readonly ProtocolRow[];
  /** From the first evaluation to the end of the last. */
  readonly ms: number;
}

/** Evaluates the offline agents on the demo's tasks under each protocol of tasks; what they scored under `sgvef` is on the leaderboard. */
export async function evaluateAgentsUnderEachProtocol(
  client: Client,
  catalog: Pick<CatalogRecord, 'id'>,
  board: Extract<LeaderboardOutcome, { made: true }>,
  progress: Sink,
): Promise<ProtocolComparison> {
  const begun = Date.now();
  const benchmark = await importDemoTasksAsBenchmark(client, catalog.id);
  const rows: ProtocolRow[] = [makeProtocolRowOfLeaderboard(board)];
  for (const protocol of protocolKey.options.filter((each) => getProtocol(each).unitKind === 'task')) {
    for (const mounting of getProtocol(protocol).mountings) {
      progress.write(`${getProtocol(protocol).title}, ${mountingName(mounting)}\n`);
      rows.push(await evaluateOfflineAgentsUnderProtocol(client, { benchmark, protocol, mounting }, progress));
    }
  }
  return { rows, ms: Date.now() - begun };
}

async function importDemoTasksAsBenchmark(client: Client, catalog: string): Promise<string> {
  const { tools } = await client.catalogs.get(catalog);
  const { units } = await makeUnitsWithoutRepeats(listDemoTasks());
  const to = { name: 'demo tasks', protocol: liveMcpBench.key, collection: 'the demo', catalog, tools };
  const lines = makeTaskBenchmarkLines(units, to);
  const file = new Blob(lines.map((line) => `${JSON.stringify(line)}\n`));
  return (await client.benchmarks.importFile(file, { floor: false })).id;
}

async function evaluateOfflineAgentsUnderProtocol(
  client: Client,
  { benchmark, protocol, mounting }: { benchmark: string; protocol: ProtocolKey; mounting: Mounting },
  progress: Sink,
): Promise<ProtocolRow> {
  const agents = agentsOfKnownSkill.map((name) => ({ name, model: `offline-${name}` }));
  const run = await client.evaluations.create({ benchmark, protocol, mounting, agents });
  const { id, status, reason } = await showEvaluationUntilEnd(client, run, progress);
  if (status !== 'completed')
    throw new CommandError(`the evaluation ${id} is ${status}: ${makePrintableLine(reason ?? '')}`);
  const results = await client.evaluations.results(id);
  const { headline } = getProtocol(protocol);
  return {
    protocol,
    mounting: mountingName(mounting),
    headlines: Object.fromEntries(results.agents.map(({ name, scores }) => [name, scores[headline]])),
  };
}

function makeProtocolRowOfLeaderboard({ board, ranked }: Extract<LeaderboardOutcome, { made: true }>): ProtocolRow {
  return {
    protocol: sgvef.key,
    mounting: mountingName(board.mounting ?? oracleMounting),
    headlines: Object.fromEntries(
      ranked.flatMap(({ entry: { name, scores } }) => {
        const found = scores[sgvef.headline];
        return found === undefined ? [] : [[name, found] as const];
      }),
    ),
  };
}

/** The comparison, for programs: one item for each protocol, mounting and agent. */
export const protocolComparisonJson = (comparison: ProtocolComparison | null) =>
  (comparison?.rows ?? []).flatMap(({ protocol, mounting, headlines }) =>
    Object.entries(headlines).map(([agent, { mean, low, high, n, unscored }]) => ({
      protocol,
      mounting,
      agent,
      headline: { mean, low, high, n, unscored },
    })),
  );

/**
 * Tau-b between the rankings under each two rows, of the agents that both have a mean for; null if one of them does not tell any two
 * agents apart.
 */
export const computeTauBMatrixOfRankings = (rows: readonly ProtocolRow[]): (number | null)[][] =>
  rows.map((one) => rows.map((other) => rankingTauBOrNull(one, other)));

function rankingTauBOrNull(one: ProtocolRow, other: ProtocolRow): number | null {
  const pairs = agentsOfKnownSkill.flatMap((name): [number, number][] => {
    const [first, second] = [one.headlines[name]?.mean ?? null, other.headlines[name]?.mean ?? null];
    return first === null || second === null ? [] : [[first, second]];
  });
  return kendallTauB(
    pairs.map(([first]) => first),
    pairs.map(([, second]) => second),
  );
}
