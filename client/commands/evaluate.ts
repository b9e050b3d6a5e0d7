import { agentChoice, evaluationConfig } from '#core/evaluation/config.ts';
import type { Command, Given } from '../command-line/command.ts';
import { flag, numberOf, oneOf, option, required, someOf, text, textOf } from '../command-line/options.ts';
import { withDefault } from '../command-line/defaults.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { NewEvaluation } from '../resources/evaluations.ts';
import { resultLines } from '../results-table.ts';
import { watchEvaluation } from './watch.ts';

const { trials, sample, split, mounting, concurrency, seed, name: nameSchema } = evaluationConfig.shape;
const splits = split.unwrap().options;
const mountings = mounting.unwrap().options;

const options = {
  benchmark: required('benchmark', 'ID', 'the benchmark whose units the agents get', text),
  agent: someOf('agent', 'NAME=MODEL', 'an agent: what to call it, and its model at the endpoint', agentOf),
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
  noJudges: flag('no-judges', 'leave AR, UIC, ECG and pass unscored: they need a judge model'),
  concurrency: option(
    'concurrency',
    'N',
    withDefault('units that are worked on at once', concurrency),
    numberOf(concurrency),
  ),
  seed: option('seed', 'N', withDefault('decides the sample, and what else is drawn', seed), numberOf(seed)),
  detach: flag('detach', 'start the run and do not wait for it'),
};

/** An agent from `NAME=MODEL`. */
function agentOf(given: string): NewEvaluation['agents'][number] {
  const [, name = '', model = ''] = /^([^=]*)=(.*)$/.exec(given) ?? [];
  if (name === '' || model === '') throw new UsageError('give a name, "=" and a model, such as "careful=gpt-5"');
  return { name: textOf(agentChoice.shape.name)(name), model: textOf(agentChoice.shape.model)(model) };
}

function configOf(given: Given): NewEvaluation {
  const units = given.value(options.sample);
  return {
    benchmark: given.value(options.benchmark),
    agents: given.value(options.agent),
    name: given.value(options.name),
    trials: given.value(options.trials),
    sample: units === undefined ? undefined : { units, seed: given.value(options.seed) },
    split: given.value(options.split),
    mounting: given.value(options.mounting),
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
  options: Object.values(options),
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
