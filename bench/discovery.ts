import { stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exitCodeFor } from '../client/command-line/error-output.ts';
import { countWithNoun } from '../client/command-line/text.ts';
import { UsageError } from '../engine/usage-error.ts';
import { errorTextKeepingLines } from './shared/complaint.ts';
import { makeEvenlySpacedBand } from './discovery/band.ts';
import { type Curve, type CurveJob, countRoundsToShareOrNull } from './discovery/curve.ts';
import { simulateCurvesInWorkers } from './discovery/curves.ts';
import { compareUnitsNeeded } from './discovery/family-figures.ts';
import { familyTableLines, makeFamilyJson } from './discovery/family-text.ts';
import { drawRandomWorld } from './discovery/family.ts';
import { compareFrontierWithSgvefAndLimit, summarizeStrategyRuns } from './discovery/figures.ts';
import { unitsPerRoundOfWorld } from './discovery/limit.ts';
import { type FamilyOptions, parseDiscoveryOptionsOrHelp, type WorldOptions } from './discovery/options.ts';
import { readWorld } from './discovery/read-world.ts';
import { makeComparisonJson } from './discovery/record.ts';
import { curvesSvg } from './discovery/svg.ts';
import { comparisonLines, runLine } from './discovery/text.ts';
import { roundedJsonLine } from './shared/json-line.ts';

/**
 * `npm run bench:discovery`: how many units each strategy takes to find the transitions of simulated worlds, in which the truth
 * is known: bench/README.md.
 */
const usualWorld = join(import.meta.dirname, 'discovery/worlds/paper-scale.json');

try {
  const asked = parseDiscoveryOptionsOrHelp(process.argv.slice(2));
  if ('help' in asked) console.log(asked.help);
  else if (asked.kind === 'family') await simulateFamilyAndPrintComparison(asked);
  else await simulateWorldAndPrintComparison(asked);
} catch (error) {
  console.error(errorTextKeepingLines(error));
  process.exitCode = exitCodeFor(error);
}

async function simulateWorldAndPrintComparison({
  world,
  strategies,
  seeds,
  rounds,
  target,
  svg,
  json,
}: WorldOptions): Promise<void> {
  const file = await readWorld(world ?? usualWorld);
  if (svg !== null) await requireWritableSvgPath(svg);
  // Seed by seed, so that the long runs of one strategy are not all at the end.
  const jobs = seeds.flatMap((seed) =>
    strategies.map((strategy): CurveJob => ({ file, strategy, seed, rounds, until: 1 })),
  );
  const curves = await simulateCurvesInWorkers(jobs, makeProgressLog(jobs.length));
  const runs = jobs.flatMap(({ strategy, seed }, index) => {
    const curve = curves[index];
    return curve === undefined ? [] : [{ strategy, seed, curve }];
  });
  const byStrategy = new Map(strategies.map((strategy) => [strategy, runs.filter((run) => run.strategy === strategy)]));
  const setting = { file, rounds, target };
  const comparison = compareFrontierWithSgvefAndLimit(
    { ...setting, seeds: seeds.length },
    new Map([...byStrategy].map(([strategy, own]) => [strategy, summarizeStrategyRuns(own, setting)])),
  );
  if (svg !== null) {
    const scale = { transitions: file.transitions, rounds, unitsOfRound: unitsPerRoundOfWorld(file) };
    const bands = new Map(
      [...byStrategy].map(([strategy, own]) => [
        strategy,
        makeEvenlySpacedBand(
          own.map(({ curve }) => curve),
          scale,
        ),
      ]),
    );
    await writeFile(svg, curvesSvg(`${file.name}, ${countWithNoun(seeds.length, 'seed')}`, bands));
  }
  if (json) console.log(roundedJsonLine(makeComparisonJson(comparison)));
  else for (const line of comparisonLines(comparison)) console.log(line);
}

async function simulateFamilyAndPrintComparison({ seeds, rounds, target, json }: FamilyOptions): Promise<void> {
  const compared = ['sgvef', 'frontier'] as const;
  const worlds = seeds.map((seed) => ({ seed, file: drawRandomWorld(seed) }));
  const jobs = worlds.flatMap(({ seed, file }) =>
    compared.map((strategy): CurveJob => ({ file, strategy, seed, rounds, until: target })),
  );
  const curves = await simulateCurvesInWorkers(jobs, makeProgressLog(jobs.length));
  const needed = (world: number, strategy: number): number | null => {
    const [curve, job] = [curves[world * compared.length + strategy], jobs[world * compared.length + strategy]];
    return curve && job ? countRoundsToShareOrNull(target, curve, job.file.transitions) : null;
  };
  const rows = worlds.map((world, at) =>
    compareUnitsNeeded(world, { sgvef: needed(at, 0), frontier: needed(at, 1) }, rounds),
  );
  if (json) console.log(roundedJsonLine(makeFamilyJson(rows, { rounds, target })));
  else for (const line of familyTableLines(rows, { rounds, target })) console.log(line);
}

/** Reports each finished run on standard error. */
function makeProgressLog(runs: number): (curve: Curve, job: CurveJob) => void {
  let ended = 0;
  return ({ found }, job) => {
    ended += 1;
    console.error(`${ended} of ${runs}: ${runLine(job, found)}`);
  };
}

/** Throws a UsageError if the folder of the file is missing, or a folder has its name, before minutes of computing. */
async function requireWritableSvgPath(path: string): Promise<void> {
  const folder = await stat(dirname(path)).catch(() => null);
  if (folder?.isDirectory() !== true) throw new UsageError(`--svg "${path}": there is no folder ${dirname(path)}`);
  const there = await stat(path).catch(() => null);
  if (there?.isDirectory() === true) throw new UsageError(`--svg "${path}": that is a folder; give the name of a file`);
}
