import { noteNextStep } from '../command-line/next-step.ts';
import { evaluationConfig } from '#core/evaluation/config.ts';
import { protocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { userPolicy } from '#core/models/simulated-user/asked-question.ts';
import type { Command, Given } from '../command-line/command.ts';
import {
  flagOption,
  makeSchemaNumberParser,
  makeOneOfParser,
  optionalOption,
  requiredOption,
  parseNonEmptyText,
  makeSchemaTextParser,
} from '../command-line/options.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import { makeMountingOption } from '../command-line/mounting-option.ts';
import { judgeOptions, readJudgeOptions } from '../command-line/judge-options.ts';
import { UsageError } from '../../engine/usage-error.ts';
import type { NewEvaluation } from '../resources/evaluations.ts';
import { resultTableLines } from '../display/results-table.ts';
import { agentOptions, readAgents } from './evaluated-agents.ts';
import { makeAttemptsOfCliAgents, readCliAgents, type CliAgent } from './cli-agents.ts';
import { budgetOptions, readBudgetOptions } from './budget-options.ts';
import { disturbOptions, readDisturbOptions } from './disturb-options.ts';
import { dryRun, printCostEstimate } from './dry-run.ts';
import { keepTextsOption } from './keep-texts-option.ts';
import { readStopRule, untilDecidedOptions } from './until-decided.ts';
import { watchEvaluationOrThrow } from './watch.ts';

const {
  catalog,
  recordingId: recordingSchema,
  trials,
  sample,
  split,
  concurrency,
  seed,
  name: nameSchema,
} = evaluationConfig.shape;
const splits = split.unwrap().options;
const catalogs = catalog.unwrap().options;

const options = {
  benchmark: requiredOption('benchmark', 'ID', 'the benchmark whose units the agents get', parseNonEmptyText),
  protocol: optionalOption(
    'protocol',
    'PROTOCOL',
    `how the units are evaluated: ${protocolKey.options.join(', ')}; the benchmark's protocol without it`,
    makeOneOfParser(protocolKey.options),
  ),
  name: optionalOption('name', 'NAME', 'what to call the run', makeSchemaTextParser(nameSchema)),
  trials: optionalOption(
    'trials',
    'N',
    describeWithDefault('how often each agent gets each unit', trials),
    makeSchemaNumberParser(trials),
  ),
  sample: optionalOption(
    'sample',
    'N',
    'only so many units, drawn by the seed; all of the split without it',
    makeSchemaNumberParser(sample.unwrap().shape.units),
  ),
  sampleSeed: optionalOption(
    'sample-seed',
    'N',
    'decides the sample alone; --seed without it',
    makeSchemaNumberParser(sample.unwrap().shape.seed),
  ),
  split: optionalOption(
    'split',
    'SPLIT',
    describeWithDefault(`which units: ${splits.join(', ')}`, split),
    makeOneOfParser(splits),
  ),
  mounting: makeMountingOption('an agent'),
  catalog: optionalOption(
    'catalog',
    'TOOLS',
    "which tools where the servers' differ from the benchmark's: pinned, the benchmark's; current, the servers'",
    makeOneOfParser(catalogs),
  ),
  record: flagOption('record', 'keep every answer of the servers, so that the run can be replayed without them'),
  replay: optionalOption(
    'replay',
    'RECORDING',
    'answer from this recording instead of the servers',
    makeSchemaTextParser(recordingSchema.unwrap()),
  ),
  ...untilDecidedOptions,
  ...budgetOptions,
  ...judgeOptions,
  user: optionalOption(
    'user',
    'POLICY',
    `what a server gets that asks its user in a call: ${userPolicy.options.join(', ')} (from the request, by the judge's model); decline without it`,
    makeOneOfParser(userPolicy.options),
  ),
  ...disturbOptions,
  noJudges: flagOption('no-judges', 'leave what needs a judge model unscored'),
  concurrency: optionalOption(
    'concurrency',
    'N',
    describeWithDefault('cases (an agent on a unit) that are worked on at once', concurrency),
    makeSchemaNumberParser(concurrency),
  ),
  seed: optionalOption(
    'seed',
    'N',
    describeWithDefault('decides the sample, and what else is drawn', seed),
    makeSchemaNumberParser(seed),
  ),
  keepTexts: keepTextsOption,
  detach: flagOption('detach', 'start the run and do not wait for it'),
};

function readRecordingOptions(given: Given): Pick<NewEvaluation, 'recording' | 'recordingId'> {
  const recordingId = given.parseOptionValue(options.replay);
  if (recordingId === undefined) return given.parseOptionValue(options.record) ? { recording: 'record' } : {};
  if (given.parseOptionValue(options.record)) throw new UsageError('a run is recorded or replayed, not both');
  return { recording: 'replay', recordingId };
}

async function readEvaluationOptions(given: Given, cliAgents: readonly CliAgent[]): Promise<NewEvaluation> {
  const units = given.parseOptionValue(options.sample);
  const sampleSeed = given.parseOptionValue(options.sampleSeed);
  if (units === undefined && sampleSeed !== undefined)
    throw new UsageError('--sample-seed draws a sample: give --sample too');
  const protocol = given.parseOptionValue(options.protocol);
  const disturbed = await readDisturbOptions(given);
  if (protocol !== undefined && disturbed.protocol !== undefined)
    throw new UsageError(`--disturb evaluates by the protocol ${disturbed.protocol}: leave --protocol out`);
  return {
    benchmark: given.parseOptionValue(options.benchmark),
    agents: await readAgents(given, cliAgents),
    protocol,
    ...disturbed,
    name: given.parseOptionValue(options.name),
    trials: given.parseOptionValue(options.trials),
    sample: units === undefined ? undefined : { units, seed: sampleSeed ?? given.parseOptionValue(options.seed) },
    split: given.parseOptionValue(options.split),
    mounting: given.parseOptionValue(options.mounting),
    catalog: given.parseOptionValue(options.catalog),
    ...readRecordingOptions(given),
    judges: !given.parseOptionValue(options.noJudges),
    ...readJudgeOptions(given),
    stop: readStopRule(given),
    budget: readBudgetOptions(given),
    concurrency: given.parseOptionValue(options.concurrency),
    seed: given.parseOptionValue(options.seed),
    keepTextsDays: given.parseOptionValue(options.keepTexts),
    user: given.parseOptionValue(options.user),
  };
}

const evaluate: Command = {
  verb: 'evaluate',
  about: 'Evaluate agents on a benchmark, and show how it goes on and what it comes to',
  more: [
    'Ctrl-C ends the watching, not the run: "watch" takes it up again, "results" shows what it came to, "cancel" ends it.',
    'With --json: the run as it begins, each of its events, the run as it ended, its results; with --detach only the first.',
    'Exit code 0 only where the run completed.',
    'With --mounting oracle an agent sees only the servers of the expected chain: that says how it uses tools that somebody picked for it, not how it finds them.',
  ].join('\n'),
  operands: [],
  options: [...agentOptions, ...Object.values(options), dryRun],
  async run(given, context) {
    const { client, output } = context;
    const cliAgents = await readCliAgents(given);
    const config = await readEvaluationOptions(given, cliAgents);
    if (given.parseOptionValue(dryRun)) return printCostEstimate(await client.evaluations.estimate(config), context);
    const run = await client.evaluations.create(config);
    output.writeAsJsonOrLines(run, () => [run.id]);
    for (const warning of run.preflight.warnings) output.writeNote(`warning: ${warning}`);
    const isCli = ({ name }: { readonly name: string }) => cliAgents.some((agent) => agent.name === name);
    const guest = run.agents.find((agent) => agent.loop === 'external' && !isCli(agent));
    const command = guest && `attempts run ${run.id} --agent ${guest.name} --command "COMMAND"`;
    if (given.parseOptionValue(options.detach)) {
      const ofPrograms = cliAgents.map(
        ({ name, preset }) => `attempts run ${run.id} --agent ${name} --cli ${preset.name}`,
      );
      const [first = `watch ${run.id}`, ...rest] = [...ofPrograms, ...(command === undefined ? [] : [command])];
      return noteNextStep(output, first, ...rest);
    }
    if (command !== undefined) noteNextStep(output, `${command} (in another terminal)`);
    await makeAttemptsOfCliAgents(run.id, { agents: cliAgents, given }, context);
    await watchEvaluationOrThrow(run, context);
    const results = await client.evaluations.results(run.id);
    output.writeAsJsonOrLines(results, () => ['', ...resultTableLines(results, output.lineWidth)]);
  },
};

/** The verb that starts an evaluation. */
export const evaluateCommands: readonly Command[] = [evaluate];
