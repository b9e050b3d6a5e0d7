import { agentName, evaluationConfig, modelName } from '#core/evaluation/config.ts';
import { modelLoop, modelsOfLoop, type ModelLoop } from '#core/evaluation/loops.ts';
import { retrievalChoice } from '#core/models/retrieval.ts';
import type { Mounting } from '#core/mounting/mounting.ts';
import { protocolKey } from '#core/protocols/protocols.ts';
import type { Command, Given } from '../command-line/command.ts';
import {
  flagOption,
  numberParser,
  oneOfParser,
  optionalOption,
  repeatableOption,
  requiredOption,
  parseNonEmptyText,
  textParser,
} from '../command-line/options.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import { makeMountingOption, parseMounting } from '../command-line/mounting-option.ts';
import { judgeOptions, readJudgeOptions } from '../command-line/judge-options.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { NewEvaluation } from '../resources/evaluations.ts';
import { resultTableLines } from '../display/results-table.ts';
import { budgetOptions, readBudgetOptions } from './budget-options.ts';
import { dryRun, printCostEstimate } from './dry-run.ts';
import { watchEvaluationOrThrow } from './watch.ts';

const {
  catalog,
  recordingId: recordingSchema,
  keepTextsDays,
  trials,
  sample,
  split,
  concurrency,
  seed,
  name: nameSchema,
} = evaluationConfig.shape;
const splits = split.unwrap().options;
const catalogs = catalog.unwrap().options;

/** --agent for the protocol's loop, and an option named after each loop. */
const modelAgents = [
  repeatableOption(
    'agent',
    'NAME=MODEL',
    "an agent: what to call it, and its model at the endpoint; it has the protocol's loop",
    (given): AgentOption => parseModelAgent(given),
  ),
  ...modelLoop.options.map((loop) =>
    repeatableOption(
      `${loop}-agent`,
      'NAME=MODEL',
      `an agent with this loop, for ${modelsOfLoop[loop]}`,
      (given): AgentOption => ({ ...parseModelAgent(given), loop }),
    ),
  ),
];
interface AgentOption {
  readonly name: string;
  readonly model: string;
  readonly loop?: ModelLoop;
}

const options = {
  benchmark: requiredOption('benchmark', 'ID', 'the benchmark whose units the agents get', parseNonEmptyText),
  externalAgent: repeatableOption(
    'external-agent',
    'NAME',
    'an agent of your own: it claims attempts, such as with "attempts run"',
    (given) => ({ name: textParser(agentName)(given), loop: 'external' as const }),
  ),
  protocol: optionalOption(
    'protocol',
    'PROTOCOL',
    `how the units are evaluated: ${protocolKey.options.join(', ')}; the benchmark's protocol without it`,
    oneOfParser(protocolKey.options),
  ),
  name: optionalOption('name', 'NAME', 'what to call the run', textParser(nameSchema)),
  trials: optionalOption(
    'trials',
    'N',
    describeWithDefault('how often each agent gets each unit', trials),
    numberParser(trials),
  ),
  sample: optionalOption(
    'sample',
    'N',
    'only so many units, drawn by the seed; all of the split without it',
    numberParser(sample.unwrap().shape.units),
  ),
  split: optionalOption(
    'split',
    'SPLIT',
    describeWithDefault(`which units: ${splits.join(', ')}`, split),
    oneOfParser(splits),
  ),
  mounting: makeMountingOption('an agent'),
  agentMounting: repeatableOption(
    'agent-mounting',
    'NAME=MOUNTING',
    'the mounting of one of the agents, where it differs; to see what it costs, give a model to two agents',
    parseAgentMounting,
  ),
  routedTools: optionalOption(
    'routed-tools',
    'N',
    describeWithDefault('how many tools a search of each --routing-agent shows', retrievalChoice.shape.tools),
    numberParser(retrievalChoice.shape.tools),
  ),
  catalog: optionalOption(
    'catalog',
    'TOOLS',
    "which tools where the servers' differ from the benchmark's: pinned, the benchmark's; current, the servers'",
    oneOfParser(catalogs),
  ),
  record: flagOption('record', 'keep every answer of the servers, so that the run can be replayed without them'),
  replay: optionalOption(
    'replay',
    'RECORDING',
    'answer from this recording instead of the servers',
    textParser(recordingSchema.unwrap()),
  ),
  ...budgetOptions,
  ...judgeOptions,
  noJudges: flagOption('no-judges', 'leave what needs a judge model unscored'),
  concurrency: optionalOption(
    'concurrency',
    'N',
    describeWithDefault('cases (an agent on a unit) that are worked on at once', concurrency),
    numberParser(concurrency),
  ),
  seed: optionalOption(
    'seed',
    'N',
    describeWithDefault('decides the sample, and what else is drawn', seed),
    numberParser(seed),
  ),
  keepTexts: optionalOption(
    'keep-texts-days',
    'N',
    'delete arguments, results, answers and reasons so many days after the end, and keep the figures',
    numberParser(keepTextsDays.unwrap()),
  ),
  detach: flagOption('detach', 'start the run and do not wait for it'),
};

/** Parses an agent from `NAME=MODEL`. */
function parseModelAgent(given: string): { name: string; model: string } {
  const [, name = '', model = ''] = /^([^=]*)=(.*)$/.exec(given) ?? [];
  if (name === '' || model === '') throw new UsageError('give a name, "=" and a model, such as "careful=gpt-5"');
  return { name: textParser(agentName)(name), model: textParser(modelName)(model) };
}

/** Parses the mounting of an agent from `NAME=MOUNTING`. */
function parseAgentMounting(given: string): { name: string; mounting: Mounting } {
  const [, name = '', mounting = ''] = /^([^=]*)=(.*)$/.exec(given) ?? [];
  if (name === '') throw new UsageError('give the name of an agent, "=" and a mounting, such as "careful=oracle"');
  return { name, mounting: parseMounting(mounting) };
}

function readAgentOptions(given: Given): NewEvaluation['agents'] {
  const tools = given.value(options.routedTools);
  const withModel = modelAgents
    .flatMap((each) => given.value(each))
    .map((agent) => (agent.loop === 'routing' && tools !== undefined ? { ...agent, retrieval: { tools } } : agent));
  if (tools !== undefined && !withModel.some(({ loop }) => loop === 'routing'))
    throw new UsageError('--routed-tools: no agent was given with --routing-agent');
  const agents = [...withModel, ...given.value(options.externalAgent)];
  if (agents.length === 0) throw new UsageError('name an agent, such as with --agent or --external-agent');
  const mountings = new Map(given.value(options.agentMounting).map(({ name, mounting }) => [name, mounting]));
  for (const name of mountings.keys())
    if (!agents.some((agent) => agent.name === name))
      throw new UsageError(`--agent-mounting: no agent is called ${name}`);
  return agents.map((agent) => {
    const mounting = mountings.get(agent.name);
    return mounting === undefined ? agent : { ...agent, mounting };
  });
}

function readRecordingOptions(given: Given): Pick<NewEvaluation, 'recording' | 'recordingId'> {
  const recordingId = given.value(options.replay);
  if (recordingId === undefined) return given.value(options.record) ? { recording: 'record' } : {};
  if (given.value(options.record)) throw new UsageError('a run is recorded or replayed, not both');
  return { recording: 'replay', recordingId };
}

function readEvaluationOptions(given: Given): NewEvaluation {
  const units = given.value(options.sample);
  return {
    benchmark: given.value(options.benchmark),
    agents: readAgentOptions(given),
    protocol: given.value(options.protocol),
    name: given.value(options.name),
    trials: given.value(options.trials),
    sample: units === undefined ? undefined : { units, seed: given.value(options.seed) },
    split: given.value(options.split),
    mounting: given.value(options.mounting),
    catalog: given.value(options.catalog),
    ...readRecordingOptions(given),
    judges: !given.value(options.noJudges),
    ...readJudgeOptions(given),
    budget: readBudgetOptions(given),
    concurrency: given.value(options.concurrency),
    seed: given.value(options.seed),
    keepTextsDays: given.value(options.keepTexts),
  };
}

const evaluate: Command = {
  verb: 'evaluate',
  about: 'Evaluate agents on a benchmark, and show how it goes on and what it comes to',
  more: [
    'Ctrl-C ends the watching, not the run: "watch" takes it up again, "results" shows what it came to, "cancel" ends it.',
    'With --json: the run as it begins, each of its events, the run as it ended, its results; with --detach only the first.',
    'Exit code 0 only where the run completed.',
  ].join('\n'),
  operands: [],
  options: [...modelAgents, ...Object.values(options), dryRun],
  async run(given, context) {
    const { client, output } = context;
    const config = readEvaluationOptions(given);
    if (given.value(dryRun)) return printCostEstimate(await client.evaluations.estimate(config), context);
    const run = await client.evaluations.create(config);
    output.writeValue(run, () => [run.id]);
    for (const warning of run.preflight.warnings) output.writeNote(`warning: ${warning}`);
    if (given.value(options.detach)) return;
    await watchEvaluationOrThrow(run, context);
    const results = await client.evaluations.results(run.id);
    output.writeValue(results, () => ['', ...resultTableLines(results, output.lineWidth)]);
  },
};

/** The verb that starts an evaluation. */
export const evaluateCommands: readonly Command[] = [evaluate];
