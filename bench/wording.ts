import type { AnytimeComparison } from '#core/evaluation/compare-anytime.ts';
import { createClient } from '../client/client.ts';
import type { Development } from '../engine/development.ts';
import { roundedJsonLine } from './shared/json-line.ts';
import { readBenchOptions, makeLogOutsideJson } from './shared/options.ts';
import { measureOnTemporaryWorker } from './shared/with-worker.ts';
import { startStubServers } from './stubs/stub-mcp-server.ts';
import {
  fleet,
  registerStubsAndMakeComparer,
  startPlantedModels,
  type Agents,
} from './wording/measure-in-evaluations.ts';
import { simulate, sumUp, type Decisions, type Simulated } from './wording/simulate.ts';

/**
 * `npm run bench:wording`: how often a comparison of two wordings finds a planted effect, how often it finds one where there is
 * none, and after how many units it is decided: docs/measurements.md.
 */
const options = readBenchOptions(
  'Measures how often a comparison of two wordings finds a planted effect, and how often one where there is none.',
);
const say = makeLogOutsideJson(options);
const d = 0.05;
const stated = { effect: 0.15, units: 300, trials: 1, d, runs: 500 } as const;
const simulatedInFull: readonly Simulated[] = [
  { ...stated, effect: 0 },
  stated,
  { ...stated, effect: -0.15 },
  { ...stated, effect: 0.1, units: 600 },
  { ...stated, effect: 0.25, units: 120 },
  { ...stated, effect: 0.15, units: 200, trials: 3 },
  { ...stated, effect: 0, units: 2_000, runs: 200 },
  { ...stated, effect: 0, units: 300, trials: 3 },
];
const simulated = options.smallest ? [{ ...stated, runs: 5 }] : simulatedInFull;
/** By the Worker, with MCP servers, models and external agents over HTTP. */
const evaluated = {
  units: options.smallest ? 10 : 40,
  concurrency: 8,
  effect: 0.5,
  runs: options.smallest
    ? { models: { planted: 1, none: 1 }, external: { planted: 1, none: 1 } }
    : { models: { planted: 10, none: 20 }, external: { planted: 5, none: 10 } },
};

const rows = simulated.map((each) => {
  const found = simulate(each);
  say(`${each.effect} in ${each.units} units of ${each.trials} trials: ${JSON.stringify(found)}`);
  return { ...each, ...found };
});
const stubs = await startStubServers(fleet);
const models = await startPlantedModels();
try {
  report(await measureOnTemporaryWorker(options, compareWordingsInEvaluations));
} finally {
  await Promise.all([stubs.close(), models.close()]);
}

async function compareWordingsInEvaluations(worker: Development) {
  const compare = await registerStubsAndMakeComparer(createClient(worker), stubs, models, evaluated.units);
  const measure = async (agents: Agents, effect: number, runs: number): Promise<Decisions> => {
    const found: AnytimeComparison[] = [];
    for (let run = 1; run <= runs; run += 1) {
      const compared = await compare({ effect, run, d, agents, concurrency: evaluated.concurrency });
      say(
        `${agents}, ${effect}, run ${run}: ${compared.verdict} [${compared.low}, ${compared.high}] in ${compared.units} units`,
      );
      found.push(compared);
    }
    return sumUp(found);
  };
  const measureBoth = async (agents: Agents) => {
    const { units, effect, runs } = evaluated;
    const planted = await measure(agents, effect, runs[agents].planted);
    const none = await measure(agents, 0, runs[agents].none);
    return {
      agents,
      units,
      effect,
      runs: runs[agents].planted,
      power: planted.improved,
      unitsToDecision: planted.unitsToDecision,
      nullRuns: runs[agents].none,
      alarms: none.improved + none.worse,
    };
  };
  return [await measureBoth('models'), await measureBoth('external')];
}

function report(evaluations: Awaited<ReturnType<typeof compareWordingsInEvaluations>>): void {
  const nulls = rows.filter(({ effect }) => effect === 0);
  const main = rows.find(({ effect, units }) => effect === stated.effect && units === stated.units);
  const figures = {
    effect: stated.effect,
    units: stated.units,
    power: main?.improved ?? null,
    alarms: Math.max(...nulls.map(({ improved, worse }) => improved + worse)),
    unitsToDecision: main?.unitsToDecision ?? null,
    simulated: rows,
    evaluations,
  };
  if (options.json) return console.log(roundedJsonLine(figures));
  console.table(figures.simulated);
  console.table(figures.evaluations);
}
