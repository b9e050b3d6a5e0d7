import { env } from 'cloudflare:workers';
import { benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { makeCatalog } from '#core/catalog/catalog.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { leaderboardRecord, type Entry, type LeaderboardRecord } from '#core/leaderboards/record.ts';
import type { Publication } from '#core/leaderboards/scored-submission.ts';
import { makeStubBenchmarkFile } from '../../bench/stubs/stub-benchmark-file.ts';
import { publicationOf, scoredWith } from './leaderboard.ts';
import { expectStatus, unique, type TestWorkspace } from './workspace.ts';

/** Leaderboards of synthetic benchmarks with synthetic entries. For tests inside workerd. */

export const units = 8;

/** Imports a benchmark of a number of units into the workspace. */
export async function importBenchmark(workspace: TestWorkspace, count = units): Promise<string> {
  const server = unique('s').toLowerCase();
  const tools: Tool[] = [1, 2].map((n) => ({
    name: `${server}/step-1-${n}`,
    server,
    domain: 'testing',
    category: 'read',
    inputSchema: { type: 'object' },
  }));
  const { id } = await makeCatalog(tools);
  const file = await (await makeStubBenchmarkFile(id, tools, count)).text();
  const headers = { 'content-type': 'text/jsonl' };
  const answer = await workspace.post('/v1/benchmarks/import?floor=false', file, { headers });
  return benchmarkRecord.parse(expectStatus(answer, 201)).id;
}

export async function openLeaderboard(
  workspace: TestWorkspace,
  more: Readonly<Record<string, unknown>> = {},
): Promise<LeaderboardRecord> {
  const benchmark = await importBenchmark(workspace);
  const answer = await workspace.post('/v1/leaderboards', { benchmark, name: 'A leaderboard', ...more });
  return leaderboardRecord.parse(expectStatus(answer, 201));
}

/** Publishes an entry whose units have values around this one. */
export async function publish(
  board: Pick<LeaderboardRecord, 'id'>,
  middle: number,
  more: Partial<Publication> & { readonly costUsd?: number } = {},
): Promise<Entry> {
  const { costUsd = null, ...rest } = more;
  const values = Array.from({ length: units }, (_, unit) => middle + ((unit * 7) % 5) / 1_000);
  const result = await env.LEADERBOARD.getByName(board.id).publishUnlessSuspicious(
    publicationOf(unique('sub'), scoredWith(values, { costUsd }), rest),
  );
  if (result.kind !== 'published') throw new Error(JSON.stringify(result));
  return result.entry;
}
