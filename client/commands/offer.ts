import { z } from 'zod';
import { defaultIrrelevance } from '#core/evaluation/compare-anytime.ts';
import { evaluationConfig, modelName } from '#core/evaluation/config.ts';
import { modelLoop, type ModelLoop } from '#core/benchmarks/protocols/loops.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import type { Command, Given } from '../command-line/command.ts';
import { endpointOptions, readEndpoint } from '../command-line/endpoint-options.ts';
import { judgeOptions, readJudgeOptions } from '../command-line/judge-options.ts';
import { makeMountingOption } from '../command-line/mounting-option.ts';
import {
  makeOneOfParser,
  makeSchemaNumberParser,
  makeSchemaTextParser,
  optionalOption,
  parseNonEmptyText,
  repeatableOption,
  requiredOption,
} from '../command-line/options.ts';
import { makePrintableLine } from '../command-line/text.ts';
import { offeringLines, offeringSentence } from '../display/offering-lines.ts';
import { CommandError, GateError, UsageError } from '../../engine/usage-error.ts';
import { followUntilComparisonDecided } from '../progress/follow-until-decided.ts';
import type { NewEvaluation } from '../resources/evaluations.ts';
import { budgetOptions, readBudgetOptions } from './budget-options.ts';
import { dryRun, printCostEstimate } from './dry-run.ts';

const { trials, sample, split, concurrency, seed } = evaluationConfig.shape;
const splits = split.unwrap().options;

/** The ways that are compared without --way. */
const usualWays: readonly ModelLoop[] = ['function-calling', 'tool-search', 'code'];

const options = {
  benchmark: requiredOption('benchmark', 'ID', 'the benchmark whose units the agents get', parseNonEmptyText),
  model: requiredOption('model', 'MODEL', "the agents' model", makeSchemaTextParser(modelName)),
  way: repeatableOption(
    'way',
    'LOOP',
    `a way of offering tools, among ${modelLoop.options.join(', ')}; ${usualWays.join(', ')} without it`,
    makeOneOfParser(modelLoop.options),
  ),
  d: optionalOption(
    'd',
    'D',
    `the largest difference of the headline that does not matter (${defaultIrrelevance} without it)`,
    makeSchemaNumberParser(z.number().gt(0).lt(1)),
  ),
  maxUnits: optionalOption(
    'max-units',
    'N',
    'end undecided after so many units; all of the split without it',
    makeSchemaNumberParser(sample.unwrap().shape.units),
  ),
  trials: optionalOption(
    'trials',
    'N',
    describeWithDefault('how often each agent gets each unit', trials),
    makeSchemaNumberParser(trials),
  ),
  mounting: makeMountingOption('an agent'),
  split: optionalOption(
    'split',
    'SPLIT',
    describeWithDefault(`which units: ${splits.join(', ')}`, split),
    makeOneOfParser(splits),
  ),
  concurrency: optionalOption(
    'concurrency',
    'N',
    describeWithDefault('cases (an agent on a unit) that are worked on at once', concurrency),
    makeSchemaNumberParser(concurrency),
  ),
  seed: optionalOption(
    'seed',
    'N',
    describeWithDefault('draws the order of the units', seed),
    makeSchemaNumberParser(seed),
  ),
  ...endpointOptions,
  ...budgetOptions,
  ...judgeOptions,
};

const offer: Command = {
  verb: 'offer',
  about: 'Say how to offer your tools to a model: as functions, by a search, or in code, as soon as it is clear',
  more: [
    'Starts one evaluation in which agents of one model, which differ in how tools are offered to it, get the same units in random order, and cancels it once one way suits.',
    'A way suits if each other way is worse, or takes more (cost, or tokens without prices) and is not better by more than --d.',
    'Exit codes: 0 a way suits; 5 undecided: take more units or trials.',
  ].join('\n'),
  operands: [],
  options: [...Object.values(options), dryRun],
  async run(given, context) {
    const { client, output } = context;
    const config = await readOfferOptions(given);
    if (given.parseOptionValue(dryRun)) return printCostEstimate(await client.evaluations.estimate(config), context);
    const run = await client.evaluations.create(config);
    for (const warning of run.preflight.warnings) output.writeNote(`warning: ${warning}`);
    const d = given.parseOptionValue(options.d) ?? defaultIrrelevance;
    const { record, comparison } = await followUntilComparisonDecided(
      client,
      run,
      { look: () => client.evaluations.offering(run.id, d), isDecided: ({ suits }) => suits !== null },
      output.outSinkOrNotesInJsonMode,
    );
    if (record.status === 'failed')
      throw new CommandError(`evaluation ${run.id} has failed: ${makePrintableLine(record.reason ?? '')}`);
    output.writeAsJsonOrLines({ evaluation: run.id, status: record.status, ...comparison }, () => [
      ...offeringLines(comparison, output.lineWidth),
      `evaluation  ${run.id}, ${record.status}`,
    ]);
    if (comparison.suits === null) throw new GateError('insufficient', offeringSentence(comparison));
  },
};

async function readOfferOptions(given: Given): Promise<NewEvaluation> {
  const ways = given.parseOptionValue<readonly ModelLoop[]>(options.way);
  const loops = ways.length === 0 ? usualWays : [...new Set(ways)];
  if (loops.length < 2) throw new UsageError('--way: give at least two different ones');
  const model = given.parseOptionValue(options.model);
  const endpoint = await readEndpoint(given);
  const units = given.parseOptionValue(options.maxUnits);
  return {
    benchmark: given.parseOptionValue(options.benchmark),
    // Each agent is called by its loop.
    agents: loops.map((loop) => ({ name: loop, model, loop, ...(endpoint === undefined ? {} : { endpoint }) })),
    name: `offering: ${loops.join(', ')}`,
    trials: given.parseOptionValue(options.trials),
    sample: units === undefined ? undefined : { units, seed: given.parseOptionValue(options.seed) },
    split: given.parseOptionValue(options.split),
    mounting: given.parseOptionValue(options.mounting),
    ...readJudgeOptions(given),
    budget: readBudgetOptions(given),
    concurrency: given.parseOptionValue(options.concurrency),
    seed: given.parseOptionValue(options.seed),
  };
}

/** The verb that compares ways of offering tools to a model. */
export const offerCommands: readonly Command[] = [offer];
