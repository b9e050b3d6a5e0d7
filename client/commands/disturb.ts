import { disturbanceMeanings } from '#core/evaluation/disturbance-texts.ts';
import { evaluationConfig } from '#core/evaluation/config.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import type { Command } from '../command-line/command.ts';
import { judgeOptions, readJudgeOptions } from '../command-line/judge-options.ts';
import { makeSchemaNumberParser, makeSchemaTextParser, optionalOption } from '../command-line/options.ts';
import { disturbanceLines } from '../display/disturbance-lines.ts';
import { budgetOptions, readBudgetOptions } from './budget-options.ts';
import { disturbOptions, readDisturbOptions } from './disturb-options.ts';
import { dryRun, printCostEstimate } from './dry-run.ts';
import { agentOptions, readAgents } from './evaluated-agents.ts';
import { watchEvaluationOrThrow } from './watch.ts';

const { sample, seed, concurrency, recordingId } = evaluationConfig.shape;

/** Units where nobody chooses: enough to see what happens, too few to rank agents. */
const fewUnits = 10;

const benchmark = { name: 'benchmark', about: 'the benchmark whose units the agents get, such as bm_...' };

const options = {
  ...disturbOptions,
  sample: optionalOption(
    'sample',
    'N',
    `how many units, drawn by the seed; ${fewUnits} without it`,
    makeSchemaNumberParser(sample.unwrap().shape.units),
  ),
  replay: optionalOption(
    'replay',
    'RECORDING',
    'answer from this recording instead of the servers',
    makeSchemaTextParser(recordingId.unwrap()),
  ),
  seed: optionalOption(
    'seed',
    'N',
    describeWithDefault('decides the sample, and what is spoilt', seed),
    makeSchemaNumberParser(seed),
  ),
  concurrency: optionalOption(
    'concurrency',
    'N',
    describeWithDefault('cases (an agent on a unit) that are worked on at once', concurrency),
    makeSchemaNumberParser(concurrency),
  ),
  ...judgeOptions,
  ...budgetOptions,
};

const disturb: Command = {
  verb: 'disturb',
  about:
    'See what agents do when tools fail, lie or carry orders of third parties: a few units of a benchmark, and one table',
  more: [
    'Each unit runs undisturbed and under each kind with the same seed. The kinds are faults without --disturb. It is "evaluate --disturb" on a few units; its results, pages and exports are those of an evaluation.',
    'Attacks carry canaries only: words that mean nothing, and a tool that does nothing.',
  ].join('\n'),
  operands: [benchmark],
  options: [...agentOptions, ...Object.values(options), dryRun],
  async run(given, context) {
    const { client, output } = context;
    const chosen = await readDisturbOptions(given);
    const recording = given.parseOptionValue(options.replay);
    const units = given.parseOptionValue(options.sample) ?? fewUnits;
    const config = {
      benchmark: given.firstOperandWordOrThrow(benchmark),
      agents: await readAgents(given, []),
      name: 'disturbed',
      sample: { units, seed: given.parseOptionValue(options.seed) },
      protocol: 'resilience' as const,
      ...chosen,
      ...(recording === undefined ? {} : { recording: 'replay' as const, recordingId: recording }),
      ...readJudgeOptions(given),
      budget: readBudgetOptions(given),
      concurrency: given.parseOptionValue(options.concurrency),
      seed: given.parseOptionValue(options.seed),
    };
    if (given.parseOptionValue(dryRun)) return printCostEstimate(await client.evaluations.estimate(config), context);
    const run = await client.evaluations.create(config);
    output.writeAsJsonOrLines(run, () => [run.id]);
    for (const warning of run.preflight.warnings) output.writeNote(`warning: ${warning}`);
    await watchEvaluationOrThrow(run, context);
    const results = await client.evaluations.results(run.id);
    const rows = results.agents.flatMap(({ disturbances = [] }) => disturbances);
    output.writeAsJsonOrLines(results, () => [
      '',
      ...disturbanceLines(results.agents, output.lineWidth),
      ...disturbanceMeanings(rows),
    ]);
  },
};

/** The verb that shows what disturbances change. */
export const disturbCommands: readonly Command[] = [disturb];
