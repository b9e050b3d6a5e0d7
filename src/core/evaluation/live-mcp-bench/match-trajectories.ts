import type { ImportedAttempts } from '../imported-attempts.ts';
import { liveMcpBench } from '#core/benchmarks/protocols/live-mcp-bench.ts';
import type { ReadTrajectory } from './trajectories.ts';

/** The attempts that a file has, and what it leaves out or cannot say, as `task at its place in the file, from 1`. */
interface MatchedTrajectories {
  readonly attempts: ImportedAttempts['attempts'];
  /** Trajectories that cannot be read, each with the reason. */
  readonly unparsed: readonly string[];
  /** Trajectories of tasks that the benchmark lacks, and of tasks that are in the file before. */
  readonly unmatched: readonly string[];
  /** Attempts that the model broke: they are imported, and not evaluated. */
  readonly broken: readonly string[];
}

/** Pairs each trajectory with the unit of its task, by the task's published id. */
export function matchTrajectoriesToUnits(
  read: readonly ReadTrajectory[],
  units: ReadonlyMap<string, string>,
  agent: string,
): MatchedTrajectories {
  const seen = new Set<string>();
  const attempts: ImportedAttempts['attempts'] = [];
  const [unparsed, unmatched, broken]: [string[], string[], string[]] = [[], [], []];
  const [request] = liveMcpBench.requests.task;
  for (const { at, task, trace } of read) {
    const named = `${task ?? 'a trajectory'} at ${at}`;
    const unit = task === null ? undefined : units.get(task);
    if (!trace.ok) unparsed.push(`${named}: ${trace.problem}`);
    else if (task === null || unit === undefined || seen.has(task)) unmatched.push(named);
    else {
      seen.add(task);
      if (trace.value.end === 'fault') broken.push(named);
      attempts.push({ unit, agent, trial: 1, request, trace: trace.value });
    }
  }
  return { attempts, unparsed, unmatched, broken };
}
