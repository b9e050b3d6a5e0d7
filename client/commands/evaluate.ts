import { agentName, evaluationConfig, modelName } from '#core/evaluation/config.ts';
import { defaultLoop, modelLoop, modelsOfLoop } from '#core/evaluation/loops.ts';
import { judgedScorers, titleListText } from '#core/scoring/scorers.ts';
import type { Command, Given } from '../command-line/command.ts';
import { flag, numberOf, oneOf, option, repeated, required, text, textOf } from '../command-line/options.ts';
import { withDefault } from '../command-line/defaults.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { NewEvaluation } from '../resources/evaluations.ts';
import { resultLines } from '../display/results-table.ts';
import { watchEvaluation } from './watch.ts';

const {
  catalog,
  recordingId: recordingSchema,
  trials,
  sample,
  split,
  mounting,
  concurrency,
  seed,
  name: nameSchema,
} = evaluationConfig.shape;
const splits = split.unwrap().options;
const mountings = mounting.unwrap().options;
const catalogs = catalog.unwrap().options;

/** One option for each agent loop: --agent for the default loop, and one named after each other loop. */
const modelAgents = modelLoop.options.map((loop) =>
  repeated(
    loop === defaultLoop ? 'agent' : `${loop}-agent`,
    'NAME=MODEL',
    `an agent: what to call it, and its model at the endpoint; for ${modelsOfLoop[loop]}`,
    (given) => ({ ...modelAgent(given), ...(loop === defaultLoop ? {} : { loop }) }),
  ),
);

const options = {
  benchmark: required('benchmark', 'ID', 'the benchmark whose units the agents get', text),
  externalAgent: repeated(
    'external-agent',
    'NAME',
    'an agent of your own: it claims attempts, such as with "attempts run"',
    (given) => ({ name: textOf(agentName)(given), loop: 'external' as const }),
  ),
  name: option('name', 'NAME', 'what to call the run', textOf(nameSchema)),
  trials: option('trials', 'N', withDefault('how often each agent gets each unit', trials), numberOf(trials)),
  sample: option(
    'sample',
    'N',
    'only so many units, drawn by the seed; all of the split without it',
    numberOf(sample.unwrap().shape.units),
  ),
  split: option('split', 'SPLIT', withDefault(`which units: ${splits.join(', ')}`, split), oneOf(splits)),
  mounting: option(
    'mounting',
    'TOOLS',
    withDefault("what agents see: oracle, the tools of the servers in a unit's chain; max-scale, all tools", mounting),
    oneOf(mountings),
  ),
  catalog: option(
    'catalog',
    'TOOLS',
    "which tools where the servers' differ from the benchmark's: pinned, the benchmark's; current, the servers'",
    oneOf(catalogs),
  ),
  record: flag('record', 'keep every answer of the servers, so that the run can be replayed without them'),
  replay: option(
    'replay',
    'RECORDING',
    'answer from this recording instead of the servers',
    textOf(recordingSchema.unwrap()),
  ),
  noJudges: flag('no-judges', `leave ${titleListText(judgedScorers)} unscored: they need a judge model`),
  concurrency: option(
    'concurrency',
    'N',
    withDefault('cases (an agent on a unit) that are worked on at once', concurrency),
    numberOf(concurrency),
  ),
  seed: option('seed', 'N', withDefault('decides the sample, and what else is drawn', seed), numberOf(seed)),
  detach: flag('detach', 'start the run and do not wait for it'),
};

/** Parses an agent from `NAME=MODEL`. */
function modelAgent(given: string): { name: string; model: string } {
  const [, name = '', model = ''] = /^([^=]*)=(.*)$/.exec(given) ?? [];
  if (name === '' || model === '') throw new UsageError('give a name, "=" and a model, such as "careful=gpt-5"');
  return { name: textOf(agentName)(name), model: textOf(modelName)(model) };
}

function agentsOf(given: Given): NewEvaluation['agents'] {
  const agents = [...modelAgents.flatMap((each) => given.value(each)), ...given.value(options.externalAgent)];
  if (agents.length === 0) throw new UsageError('name an agent, such as with --agent or --external-agent');
  return agents;
}

function recordingOf(given: Given): Pick<NewEvaluation, 'recording' | 'recordingId'> {
  const recordingId = given.value(options.replay);
  if (recordingId === undefined) return given.value(options.record) ? { recording: 'record' } : {};
  if (given.value(options.record)) throw new UsageError('a run is recorded or replayed, not both');
  return { recording: 'replay', recordingId };
}

function configOf(given: Given): NewEvaluation {
  const units = given.value(options.sample);
  return {
    benchmark: given.value(options.benchmark),
    agents: agentsOf(given),
    name: given.value(options.name),
    trials: given.value(options.trials),
    sample: units === undefined ? undefined : { units, seed: given.value(options.seed) },
    split: given.value(options.split),
    mounting: given.value(options.mounting),
    catalog: given.value(options.catalog),
    ...recordingOf(given),
    judges: !given.value(options.noJudges),
    concurrency: given.value(options.concurrency),
    seed: given.value(options.seed),
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
  options: [...modelAgents, ...Object.values(options)],
  async run(given, context) {
    const { client, output } = context;
    const run = await client.evaluations.create(configOf(given));
    output.value(run, () => [run.id]);
    if (given.value(options.detach)) return;
    await watchEvaluation(run, context);
    const results = await client.evaluations.results(run.id);
    output.value(results, () => ['', ...resultLines(results, output.columns)]);
  },
};

/** The verb that starts an evaluation. */
export const evaluateCommands: readonly Command[] = [evaluate];
