import type { EvaluationRecord } from '#core/evaluation/record.ts';
import type { AnytimeComparison } from '#core/evaluation/compare-anytime.ts';
import type { Client } from '../../client/client.ts';
import type { NewEvaluation } from '../../client/resources/evaluations.ts';
import { followUntilComparisonDecided, lookAtTwoAgents } from '../../client/progress/follow-until-decided.ts';
import { makeStubBenchmarkFile } from '../stubs/stub-benchmark-file.ts';
import type { StubServers } from '../stubs/stub-mcp-server.ts';
import { startStubModels, type AskedOfStub, type StubModels } from '../stubs/stub-models.ts';
import { workOutside } from './outside-agents.ts';
import { succeeds, type Planted } from './planted.ts';

/** How many stub servers there are, and how many tools each has. */
export const fleet = { servers: 10, toolsPerServer: 10 } as const;

/** What the second wording says of every tool, by which the stub models know it. */
const marker = 'In other words: it takes a text, and gives one back.';

/**
 * Starts models that do what a request asks with the planted chance, which depends on how their tools are described. The name of
 * the model says which run it is and what effect is planted, such as `run-3 0.5`.
 */
export const startPlantedModels = (): Promise<StubModels> => startStubModels({ givesUp });

/** Returns whether the model gives up instead of calling the tools. */
function givesUp({ model, messages, tools = [] }: AskedOfStub): boolean {
  const [run = '', effect = ''] = model.split(' ');
  const request = messages.map(({ content }) => content ?? '').join('\n');
  const descriptions = tools.map((tool) => tool.function.description ?? '');
  return tools.length > 0 && !carriesOutByPlantedChance({ run, effect: Number(effect) }, request, descriptions);
}

/** Returns whether an agent carries out a request: by the planted chance of the wording that it reads. */
function carriesOutByPlantedChance(planted: Planted, request: string, descriptions: readonly string[]): boolean {
  const unit = /\bmatter (\d+)/.exec(request)?.[1];
  const wording = descriptions.some((text) => text.includes(marker)) ? 'b' : 'a';
  return unit === undefined || succeeds(planted, wording, Number(unit), 1);
}

/** Agents with a model, or external ones that work through the recording gateway. */
export type Agents = 'models' | 'external';

/** A comparison in an evaluation by the Worker. */
export interface Measured {
  readonly effect: number;
  readonly run: number;
  readonly d: number;
  readonly concurrency: number;
  readonly agents: Agents;
}

/** Registers the servers and imports a benchmark of units on their tools; returns what begins an evaluation of two wordings on it. */
export async function registerStubsAndMakeBeginner(
  client: Client,
  stubs: StubServers,
  models: StubModels,
  units: number,
) {
  const ids: string[] = [];
  for (let n = 0; n < fleet.servers; n += 1)
    ids.push(
      (await client.servers.add({ name: `s${n}`, domain: 'bench', url: stubs.urlOf(n), allows: 'destroys' })).id,
    );
  const { catalog, tools } = await client.catalogs.get((await client.catalogs.create(ids)).id);
  const file = await makeStubBenchmarkFile(catalog.id, tools, units);
  const benchmark = (await client.benchmarks.importFile(file, { floor: false })).id;
  const overlay = {
    name: 'in other words',
    // Renamed, too: calls have to find their tools.
    tools: Object.fromEntries(
      tools.map(({ name }) => [name, { name: `do_${name.slice(name.indexOf('/') + 1)}`, description: marker }]),
    ),
  };
  return (
    { effect, run, concurrency, agents }: Omit<Measured, 'd'>,
    more: Pick<NewEvaluation, 'stop'> = {},
  ): Promise<EvaluationRecord> => {
    const endpoint = { baseUrl: models.url };
    const planted = { effect, run: `run-${run}` };
    const loop =
      agents === 'external' ? ({ loop: 'external' } as const) : { model: `${planted.run} ${effect}`, endpoint };
    const judge = { ...endpoint, model: 'judge' };
    return client.evaluations.create({
      benchmark,
      agents: [
        { name: 'a', ...loop },
        { name: 'b', ...loop, overlay },
      ],
      judge,
      embedder: judge,
      mounting: { kind: 'oracle' },
      concurrency,
      seed: run,
      ...more,
    });
  };
}

/** Registers the servers and imports a benchmark of units on their tools; returns what compares two wordings on it. */
export async function registerStubsAndMakeComparer(
  client: Client,
  stubs: StubServers,
  models: StubModels,
  units: number,
) {
  const begin = await registerStubsAndMakeBeginner(client, stubs, models, units);
  return async ({ d, ...measured }: Measured): Promise<AnytimeComparison> => {
    const { effect, run, agents } = measured;
    const planted = { effect, run: `run-${run}` };
    const begun = await begin(measured);
    const outside = agents === 'external' ? ['a', 'b'] : [];
    const [{ record, comparison }] = await Promise.all([
      followUntilComparisonDecided(client, begun, lookAtTwoAgents(client, begun.id, { a: 'a', b: 'b', d }), silent),
      ...outside.map((name) =>
        workOutside(client, begun.id, name, (request, descriptions) =>
          carriesOutByPlantedChance(planted, request, descriptions),
        ),
      ),
    ]);
    const isAsMeant = record.status === (comparison.verdict === 'undecided' ? 'completed' : 'cancelled');
    const isWhole = record.status === 'completed' && comparison.units === units;
    if (!isAsMeant && !isWhole)
      throw new Error(`the evaluation is ${record.status}: ${JSON.stringify({ reason: record.reason, comparison })}`);
    if (comparison.leftOut > 0) throw new Error(`units are not scored: ${JSON.stringify(comparison)}`);
    return comparison;
  };
}

const silent = { columns: 80, write: () => undefined };
