import { issueText } from '#core/values/issue-text.ts';
import { readTextFile } from '../files/read-text-file.ts';
import { z } from 'zod';
import { defaultIrrelevance, type AnytimeComparison } from '#core/evaluation/compare-anytime.ts';
import { evaluationConfig, modelName } from '#core/evaluation/config.ts';
import { modelLoop } from '#core/benchmarks/protocols/loops.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import { overlay, type Overlay } from '#core/evaluation/overlay/overlay.ts';
import type { Client } from '../client.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import type { Command, Given } from '../command-line/command.ts';
import { judgeOptions, readJudgeOptions } from '../command-line/judge-options.ts';
import { makeMountingOption } from '../command-line/mounting-option.ts';
import {
  makeSchemaNumberParser,
  makeOneOfParser,
  optionalOption,
  parseNonEmptyText,
  requiredOption,
  makeSchemaTextParser,
} from '../command-line/options.ts';
import { makePrintableLine } from '../command-line/text.ts';
import { CommandError, GateError, UsageError } from '../../engine/usage-error.ts';
import { wordingLines, wordingSentence, type ComparedWordings } from '../display/wording-lines.ts';
import { followUntilComparisonDecided, lookAtTwoAgents } from '../progress/follow-until-decided.ts';
import type { NewEvaluation } from '../resources/evaluations.ts';
import { budgetOptions, readBudgetOptions } from './budget-options.ts';
import { dryRun, printCostEstimate } from './dry-run.ts';

/** What a user writes for the servers' own wording. */
const original = 'original';
const { trials, sample, split, concurrency, seed } = evaluationConfig.shape;
const splits = split.unwrap().options;

const options = {
  benchmark: requiredOption('benchmark', 'ID', 'the benchmark whose units the agents get', parseNonEmptyText),
  model: requiredOption(
    'model',
    'MODEL',
    "the agents' model, at the deployment's endpoint for agents",
    makeSchemaTextParser(modelName),
  ),
  a: requiredOption('a', 'FILE', `an overlay as JSON, or "${original}" for what the servers say`, parseNonEmptyText),
  b: requiredOption('b', 'FILE', 'the overlay that may be better, or worse', parseNonEmptyText),
  d: optionalOption(
    'd',
    'D',
    `the largest difference that does not matter (${defaultIrrelevance} without it)`,
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
  loop: optionalOption(
    'loop',
    'LOOP',
    `how the model calls tools: ${modelLoop.options.join(', ')}; the protocol's loop without it`,
    makeOneOfParser(modelLoop.options),
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
  ...budgetOptions,
  ...judgeOptions,
};

const compareWordings: Command = {
  verb: 'compare-wordings',
  about: 'Say whether agents do better under new names, descriptions or schemas of tools: as soon as it is clear',
  more: [
    'Starts one evaluation in which two agents of one model get the same units in random order, and cancels it once it is decided.',
    'An overlay: {"name": "v2", "tools": {"notes/add": {"name": "create", "description": "..."}}, "first": ["notes/add"]}.',
    'Exit codes: 0 improved, or no difference larger than --d; 4 worse; 5 undecided: take more units or trials.',
  ].join('\n'),
  operands: [],
  options: [...Object.values(options), dryRun],
  async run(given, context) {
    const { client, output } = context;
    const config = await readWordingComparisonOptions(given);
    if (given.parseOptionValue(dryRun)) return printCostEstimate(await client.evaluations.estimate(config), context);
    const run = await client.evaluations.create(config);
    for (const warning of run.preflight.warnings) output.writeNote(`warning: ${warning}`);
    const asked = { a: 'a', b: 'b', d: given.parseOptionValue(options.d) ?? defaultIrrelevance };
    const { record, comparison } = await followUntilComparisonDecided(
      client,
      run,
      lookAtTwoAgents(client, run.id, asked),
      output.outSinkOrNotesInJsonMode,
    );
    if (record.status === 'failed')
      throw new CommandError(`evaluation ${run.id} has failed: ${makePrintableLine(record.reason ?? '')}`);
    const compared = await fetchComparedToolWordings(client, record, comparison);
    output.writeAsJsonOrLines(compared, () => wordingLines(compared, output.lineWidth));
    const { verdict } = compared.comparison;
    if (verdict === 'worse') throw new GateError('worse', wordingSentence(compared));
    if (verdict === 'undecided') throw new GateError('insufficient', wordingSentence(compared));
  },
};

async function readWordingComparisonOptions(given: Given): Promise<NewEvaluation> {
  const [ofA, ofB] = [
    await readOverlay(given.parseOptionValue(options.a)),
    await readOverlay(given.parseOptionValue(options.b)),
  ];
  const agentOf = (name: string, own: Overlay | null) => ({
    name,
    model: given.parseOptionValue(options.model),
    loop: given.parseOptionValue(options.loop),
    ...(own === null ? {} : { overlay: own }),
  });
  const units = given.parseOptionValue(options.maxUnits);
  return {
    benchmark: given.parseOptionValue(options.benchmark),
    agents: [agentOf('a', ofA), agentOf('b', ofB)],
    name: cutToNameLength(`wording: ${ofA?.name ?? original} or ${ofB?.name ?? original}`),
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

const cutToNameLength = (text: string): string => text.slice(0, 200);

/** Null for the servers' own wording. */
async function readOverlay(file: string): Promise<Overlay | null> {
  if (file === original) return null;
  const text = await readTextFile(file);
  const parsed = z
    .string()
    .transform((json, context): unknown => {
      try {
        return JSON.parse(json);
      } catch (error) {
        context.addIssue({ code: 'custom', message: `no JSON: ${String(error)}` });
        return z.NEVER;
      }
    })
    .pipe(overlay)
    .safeParse(text);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the overlay'}: ${issueText(issue)}`);
  throw new UsageError(`${file} is no overlay: ${issues.join('; ')}`);
}

async function fetchComparedToolWordings(
  client: Client,
  { id, status, agents }: EvaluationRecord,
  comparison: AnytimeComparison,
): Promise<ComparedWordings> {
  const { agents: results } = await client.evaluations.results(id);
  return {
    evaluation: id,
    status,
    comparison,
    agents: agents.map((agent) => {
      const found = results.find(({ name }) => name === agent.name);
      return {
        name: agent.name,
        overlay: ('overlay' in agent ? agent.overlay : undefined) ?? null,
        attempts: found?.attempts ?? 0,
        tokensPerAttempt: found?.tokensPerAttempt ?? null,
        costUsdPerAttempt: found?.costUsdPerAttempt ?? null,
      };
    }),
  };
}

/** The verb that compares two wordings of tools. */
export const wordingCommands: readonly Command[] = [compareWordings];
