import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { stopRule } from '#core/evaluation/decision.ts';
import { decideInEvaluations } from './decide/in-evaluations.ts';
import { measureMethods, type Figures } from './decide/figures.ts';
import { makeRecordedWorld, makeWorld, meanOf, profiles, type World } from './decide/worlds.ts';
import { roundedJsonLine } from './shared/json-line.ts';
import { makeLogOutsideJson, readBenchOptions } from './shared/options.ts';

/**
 * `npm run bench:decide`: which share of all attempts decides between two agents, and how often the decision is wrong:
 * bench/README.md.
 */
const options = readBenchOptions(
  'Measures with which share of all attempts two agents are told apart, and how often wrongly.',
);
const say = makeLogOutsideJson(options);
const stop = stopRule.parse({ kind: 'decided' });
const runs = options.smallest ? 2 : 40;
const sizes = options.smallest ? [100] : [100, 200];
const differences = [0, 0.1, 0.2, 0.3, 0.4];
/** By the Worker, with MCP servers and models over HTTP. */
const evaluated = options.smallest
  ? { units: 10, runs: 1, effects: [0.5], stop }
  : { units: 100, runs: 10, effects: [0, 0.4], stop };
const recordedFile = z.object({ source: z.string(), outcomes: z.record(z.string(), z.string().regex(/^[01]+$/)) });

/** Worlds that are summed up together. */
interface Group {
  readonly source: string;
  readonly units: number;
  /** The difference that was planted, or that all recorded outcomes show, rounded down to tenths. */
  readonly difference: number;
  readonly worlds: readonly World[];
}

const rows = [...generateSynthetic(), ...readRecorded()].flatMap(({ worlds, ...group }) => {
  const measured = measureMethods(worlds, stop).map((figures) => ({ ...group, ...figures }));
  say(`${group.source}, ${group.units} units, ${group.difference}: ${JSON.stringify(measured[0])}`);
  return measured;
});
const sumUp = (method: Figures['method'], differs: boolean) => {
  const own = rows.filter((row) => row.method === method && row.difference > 0 === differs);
  return {
    attemptsToAll: meanOf(own.map(({ attemptsToAll }) => attemptsToAll)),
    wrong: meanOf(own.map(({ wrong }) => wrong)),
    noDifference: meanOf(own.map(({ noDifference }) => noDifference)),
  };
};
const byMethod = Object.fromEntries(
  (['drawn', 'random', 'filter', 'all'] as const).map((method) => [
    method,
    { differ: sumUp(method, true), same: sumUp(method, false) },
  ]),
);
const evaluations = await decideInEvaluations(options, evaluated, say);
if (options.json) console.log(roundedJsonLine({ ...sumUp('drawn', true), byMethod, rows, evaluations }));
else {
  console.table(rows);
  console.log(JSON.stringify(byMethod, null, 2));
  console.table(evaluations);
}

function* generateSynthetic(): Generator<Group> {
  for (const source of profiles)
    for (const units of sizes)
      for (const difference of differences) {
        // What happens where agents do not differ is rarer, and needs more runs.
        const count = difference === 0 ? 3 * runs : runs;
        const worlds = Array.from({ length: count }, (_, run) => makeWorld(source, units, difference, run));
        yield { source, units, difference, worlds };
      }
}

/** Groups pairs of recorded agents by the difference that all outcomes show; pairs that differ by 0.05 to 0.1 are in no group. */
function readRecorded(): Group[] {
  const { outcomes } = recordedFile.parse(
    JSON.parse(readFileSync(join(import.meta.dirname, 'decide/recorded.json'), 'utf8')),
  );
  const agents = Object.values(outcomes);
  const units = agents[0]?.length ?? 0;
  const worlds = agents.flatMap((_, a) => agents.flatMap((_, b) => (a === b ? [] : [makeRecordedWorld(agents, a, b)])));
  const sizeOf = ({ a, b }: World): number => Math.abs(meanOf(b) - meanOf(a));
  const groups: Group[] = [0, 0.1, 0.2, 0.3, 0.4].map((difference) => ({
    source: 'judges',
    units,
    difference,
    worlds: worlds.filter((world) => {
      const size = sizeOf(world);
      return difference === 0 ? size < 0.05 : size >= difference && size < difference + 0.1;
    }),
  }));
  return groups.filter((group) => group.worlds.length > 0);
}
