import { modelName } from '#core/evaluation/config.ts';
import { modelLoop } from '#core/benchmarks/protocols/loops.ts';
import { entryName, type SubmissionRecord } from '#core/leaderboards/submissions/record.ts';
import { makeAttemptsWithShell } from '../external-agent/attempt.ts';
import type { Command, Given } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/context.ts';
import { noteNextStep } from '../command-line/next-step.ts';
import {
  flagOption,
  makeOneOfParser,
  optionalOption,
  requiredOption,
  parseNonEmptyText,
  makeSchemaTextParser,
} from '../command-line/options.ts';
import { UsageError } from '../../engine/usage-error.ts';
import {
  defaultParallel,
  parallelOption,
  claimAndMakeAttemptsWithOutput,
} from '../external-agent/queue-with-output.ts';
import { cliOptions, makeAttemptsOfCliAgent, makeCliAgentChoice, readCliAgents } from './cli-agents.ts';
import { endpointOptions, readEndpoint } from '../command-line/endpoint-options.ts';
import { openFileAsBlobOrThrow } from '../files/readable-file.ts';
import type { NewSubmission } from '../resources/submissions.ts';
import { watchSubmissionOrThrow } from './watch.ts';

const file = { name: 'file', about: 'a file of traces, such as "traces" writes' };

const leaderboard = requiredOption('leaderboard', 'ID', 'the leaderboard that it is for', parseNonEmptyText);
const name = requiredOption('name', 'NAME', 'what the entry is called', makeSchemaTextParser(entryName));
const detach = flagOption('detach', 'submit, and do not wait for what comes of it');
const common = [leaderboard, name, detach];

const benchmark = optionalOption(
  'benchmark',
  'ID',
  'refused where the leaderboard is not of this benchmark',
  parseNonEmptyText,
);
const model = requiredOption('model', 'MODEL', "the model's name at its endpoint", makeSchemaTextParser(modelName));
const loop = optionalOption(
  'loop',
  'LOOP',
  `how the model calls tools: ${modelLoop.options.join(', ')}`,
  makeOneOfParser(modelLoop.options),
);
const ending = [
  'Ctrl-C ends the watching, not the submission: "submissions watch" takes it up again, "submissions withdraw" ends it.',
  'The watching ends, too, where a moderator has to decide, which may take days: exit code 3; "submissions show" tells how it stands.',
  'With --json: the submission, each of its events, the submission as it is then. Exit code 0 only where it was published.',
];

const service: Command = {
  verb: 'submit service',
  about: 'Submit a model: the service runs it on the units, and publishes what it comes to',
  more: [
    "The endpoint's key is read from the environment or the standard input, and used for this run only.",
    ...ending,
  ].join('\n'),
  operands: [],
  options: [...common, benchmark, model, ...Object.values(endpointOptions), loop],
  async run(given, context) {
    const agent = {
      loop: given.parseOptionValue(loop),
      model: given.parseOptionValue(model),
      endpoint: await readEndpoint(given),
    };
    await submitThenWorkThenWatch({ ...readSubmissionOptions(given), tier: 'service', agent }, given, context);
  },
};

const readSubmissionOptions = (given: Given) => ({
  leaderboard: given.parseOptionValue(leaderboard),
  benchmark: given.parseOptionValue(benchmark),
  name: given.parseOptionValue(name),
});

const command = optionalOption('command', '"COMMAND"', 'makes one attempt, as with "attempts run"', parseNonEmptyText);
const keepGoing = flagOption('keep-going', 'go on even where the command fails five times in a row');

const gateway: Command = {
  verb: 'submit gateway',
  about: 'Submit an agent of your own: it works through the recording gateway',
  more: [
    'With --command, the attempts are made here and now, as "attempts run" makes them; its help tells what a command gets. With --cli,',
    'a command-line agent makes them, which asks its model through the model gateway with your key, so that its entry has tokens and',
    'cost. Without either, the agent claims them elsewhere, such as with "attempts run sub_...". Units that nobody has seen are handed',
    'out in batches.',
    '',
    'An attempt is had once. Ctrl-C ends the commands that are under way, and what they did until then is the result of their attempts;',
    'those that are not claimed yet can be made with "attempts run sub_...".',
    '',
    ...ending,
  ].join('\n'),
  operands: [],
  options: [...common, benchmark, command, ...cliOptions, ...Object.values(endpointOptions), parallelOption, keepGoing],
  async run(given, context) {
    const making = given.parseOptionValue(command);
    const [agent, ...others] = await readCliAgents(given);
    const endpoint = await readEndpoint(given);
    if (others.length > 0 || (agent !== undefined && making !== undefined))
      throw new UsageError('a submission is of one agent: give --command, or --cli once');
    if (agent === undefined && endpoint !== undefined)
      throw new UsageError('--base-url: only a command-line agent, given with --cli, has a model here');
    if (
      making === undefined &&
      agent === undefined &&
      (given.parseOptionValue(parallelOption) !== undefined || given.parseOptionValue(keepGoing))
    )
      throw new UsageError('--parallel and --keep-going go with --command or --cli');
    const make = agent ? makeAttemptsOfCliAgent(agent, given) : making && makeAttemptsWithShell(making, process.env);
    await submitThenWorkThenWatch(
      { ...readSubmissionOptions(given), tier: 'gateway', ...(agent && pickModelsAndProgram(agent, endpoint)) },
      given,
      context,
      async ({ id }) => {
        if (!make) return;
        const parallel = given.parseOptionValue(parallelOption) ?? defaultParallel;
        const work = {
          wanted: { submission: id },
          make,
          parallel,
          keepGoing: given.parseOptionValue(keepGoing),
        };
        await claimAndMakeAttemptsWithOutput(work, context);
      },
    );
  },
};

function pickModelsAndProgram(...of: Parameters<typeof makeCliAgentChoice>) {
  const { models, program } = makeCliAgentChoice(...of);
  return { models, program };
}

async function submitThenWorkThenWatch(
  submission: NewSubmission,
  given: Given,
  context: CommandContext,
  work: (submitted: SubmissionRecord) => Promise<void> = async () => {},
): Promise<void> {
  const submitted = await context.client.submissions.create(submission);
  context.output.writeAsJsonOrLines(submitted, () => [submitted.id]);
  await work(submitted);
  await watchUnlessDetached(submitted, given, context);
}

async function watchUnlessDetached(submitted: SubmissionRecord, given: Given, context: CommandContext): Promise<void> {
  if (!given.parseOptionValue(detach)) return watchSubmissionOrThrow(submitted, context);
  noteNextStep(context.output, `watch ${submitted.id}`);
}

const traces: Command = {
  verb: 'submit traces',
  about: 'Submit the attempts that a file of traces tells of; the service computes the scores itself',
  more: ending.join('\n'),
  operands: [file],
  options: common,
  async run(given, context) {
    const { client, output, signal } = context;
    const to = { leaderboard: given.parseOptionValue(leaderboard), name: given.parseOptionValue(name), signal };
    const submitted = await client.submissions.upload(
      await openFileAsBlobOrThrow(given.firstOperandWordOrThrow(file)),
      to,
    );
    output.writeAsJsonOrLines(submitted, () => [submitted.id]);
    await watchUnlessDetached(submitted, given, context);
  },
};

/** Verbs that submit to a leaderboard. */
export const submitCommands: readonly Command[] = [service, gateway, traces];
