import type { Context } from 'hono';
import { hasScope } from '#core/access/access.ts';
import type { LeaderboardCreation } from '#core/leaderboards/record.ts';
import type { ApiEnv } from './context.ts';
import { requireLeaderboardObject } from './leaderboard-reads.ts';
import { refusal, unwrap } from './problem.ts';
import type { BenchmarkService, LeaderboardService } from './services.ts';

/** The names of the servers of benchmarks, which never change, by the benchmark's object. */
const serversOf = new Map<string, readonly string[]>();
const keptBenchmarks = 1_000;

/** A benchmark, and the workspace whose servers it is over. */
interface OwnedBenchmark {
  readonly workspace: string;
  readonly object: string;
}

/**
 * Refuses everybody outside a workspace what agents did on its private servers, or were asked to do. This is the one place that
 * decides so; figures do not come here.
 */
export async function throwIfOutsiderAndServersPrivate(
  c: Context<ApiEnv>,
  { workspace, object }: OwnedBenchmark,
): Promise<void> {
  const { services, identity } = c.var;
  if (identity?.workspace === workspace && hasScope(identity, 'read')) return;
  const names = serversOf.get(object) ?? (await services.object('benchmark', object).serverNames());
  if (serversOf.size < keptBenchmarks) serversOf.set(object, names);
  if (await services.object('workspace', workspace).isAnyServerPrivate(names))
    throw refusal('private-server', 'the benchmark is over a private server: only figures are public');
}

/** Returns a benchmark of any workspace whose public units may be shown to the caller. */
export async function requireBenchmarkVisibleToCaller(c: Context<ApiEnv>, id: string): Promise<BenchmarkService> {
  const { services } = c.var;
  const found = await services.directory.findBenchmark(id);
  if (found === null) throw refusal('not-found', `there is no benchmark ${id}`);
  await throwIfOutsiderAndServersPrivate(c, found);
  return services.object('benchmark', found.object);
}

/** Returns a leaderboard whose entries' cases and traces may be shown to the caller. */
export async function requireLeaderboardWithPublicTexts(c: Context<ApiEnv>, id: string): Promise<LeaderboardService> {
  const leaderboard = await requireLeaderboardObject(c, id);
  const { workspace, benchmarkObject: object } = unwrap(await leaderboard.creation());
  await throwIfOutsiderAndServersPrivate(c, { workspace, object });
  return leaderboard;
}

/** Refuses an agent of another workspace, which would see what a private server returns. */
export const throwIfAgentMayNotSeeServers = (
  c: Context<ApiEnv>,
  { workspace, benchmarkObject: object }: LeaderboardCreation,
): Promise<void> => throwIfOutsiderAndServersPrivate(c, { workspace, object });
