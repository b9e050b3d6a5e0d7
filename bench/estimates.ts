import { join } from 'node:path';
import { exitCodeFor } from '../client/command-line/error-output.ts';
import { UsageError } from '../engine/usage-error.ts';
import { errorTextKeepingLines } from './shared/complaint.ts';
import { runInWorkers } from './discovery/in-workers.ts';
import { drawRandomWorld } from './discovery/family.ts';
import { readWorld } from './discovery/read-world.ts';
import type { WorldFile } from './discovery/world-file.ts';
import {
  figuresOfRun,
  summarizeEstimatesOfRuns,
  summarizeByWorldAndStrategy,
  type RunInWorld,
} from './estimates/figures.ts';
import { followedWorld, type FollowJob } from './estimates/follow.ts';
import { type EstimatesOptions, parseEstimatesOptionsOrHelp } from './estimates/options.ts';
import { estimateTableLines } from './estimates/text.ts';
import { roundedJsonLine } from './shared/json-line.ts';

/** `npm run bench:estimates`: how right the estimates of a run are where the truth can be computed: bench/README.md. */
try {
  const asked = parseEstimatesOptionsOrHelp(process.argv.slice(2));
  if ('help' in asked) console.log(asked.help);
  else await compareAndPrintEstimates(asked);
} catch (error) {
  console.error(errorTextKeepingLines(error));
  process.exitCode = exitCodeFor(error);
}

async function compareAndPrintEstimates(options: EstimatesOptions): Promise<void> {
  const { strategies, seeds, rounds, stopRounds, target, json } = options;
  const files = options.worlds === null ? null : await readWorldFilesWithDistinctNames(options.worlds);
  const worldsOfSeed = (seed: number): WorldFile[] => files?.slice() ?? [drawRandomWorld(seed)];
  const jobs = seeds.flatMap((seed) =>
    worldsOfSeed(seed).map((file): FollowJob => ({
      file,
      seed,
      strategies: [...strategies],
      rounds,
      stopRounds,
      target,
    })),
  );
  let ended = 0;
  const program = join(import.meta.dirname, 'estimates/follow-worker.ts');
  const worlds = await runInWorkers(program, followedWorld, jobs, (_, { file, seed }) => {
    ended += 1;
    console.error(`${ended} of ${jobs.length}: ${file.name}, seed ${seed}`);
  });
  const runs = jobs.flatMap(({ file: { name, transitions }, seed }, index): RunInWorld[] =>
    (worlds[index]?.runs ?? []).map((run) => ({ world: files === null ? 'family' : name, transitions, seed, run })),
  );
  const [rows, together] = [summarizeByWorldAndStrategy(runs), summarizeEstimatesOfRuns(runs)];
  const error = Math.max(...worlds.map((world) => world.error));
  if (json) {
    const names = [...new Set(runs.map(({ world }) => world))];
    const setting = { worlds: names, seeds: seeds.length, rounds, stopRounds, target, truthError: error };
    console.log(
      roundedJsonLine({
        ...setting,
        figures: rows.map(({ figures, ...of }) => ({ ...of, ...figures })),
        runs: runs.map(figuresOfRun),
        together,
      }),
    );
  } else for (const line of estimateTableLines(rows, together, options, error)) console.log(line);
}

/** Reads world files, which must have different names, because figures are labelled with them. */
async function readWorldFilesWithDistinctNames(paths: readonly string[]): Promise<WorldFile[]> {
  const files = await Promise.all(paths.map(readWorld));
  const twice = files.find(({ name }, index) => files.findIndex((file) => file.name === name) !== index);
  if (twice !== undefined)
    throw new UsageError(`two of the world files have the name "${twice.name}"; give them different ones`);
  return files;
}
