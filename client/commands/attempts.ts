import { agentName } from '#core/evaluation/config.ts';
import type { Command, Given } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/context.ts';
import { noteNextStep } from '../command-line/next-step.ts';
import { countWithNoun } from '../command-line/text.ts';
import { flagOption, optionalOption, parseNonEmptyText, makeSchemaTextParser } from '../command-line/options.ts';
import { UsageError } from '../../engine/usage-error.ts';
import {
  defaultParallel,
  parallelOption,
  claimAndMakeAttemptsWithOutput,
} from '../external-agent/queue-with-output.ts';
import { makeAttemptsWithShell, type AttemptMaker } from '../external-agent/attempt.ts';
import { makeAttemptsWithPreset, readPresetVersion } from '../external-agent/presets/run-preset.ts';
import { cliConfig, cliOwnTools, cliProgram, findPreset, readPresets } from './cli-agents.ts';
import type { Wanted } from '../resources/attempts.ts';

const run = { name: 'run', about: 'the id of an evaluation, such as evl_..., or of a submission, such as sub_...' };

const agent = optionalOption(
  'agent',
  'NAME',
  'an external agent of the evaluation; a submission has but one',
  makeSchemaTextParser(agentName),
);
const command = optionalOption(
  'command',
  '"COMMAND"',
  'what makes one attempt; run by sh in the present folder; this or --cli',
  parseNonEmptyText,
);
const keepGoing = flagOption('keep-going', 'continue although the command crashes at first, or five times in a row');

const runAttempts: Command = {
  verb: 'attempts run',
  about: 'Evaluate an agent of your own: run a command on each attempt of an external agent or a submission',
  more: [
    'The command finds the request on its standard input and in SEXTANT_REQUEST. The tools are at the MCP server SEXTANT_MCP_URL, which',
    'wants the header "Authorization" with the value of SEXTANT_MCP_AUTHORIZATION; the token alone is in SEXTANT_MCP_TOKEN. What the',
    'command prints is the response. It has until SEXTANT_DEADLINE (ISO 8601); SEXTANT_ATTEMPT is the id of the attempt.',
    '',
    'A command that exits with another code than 0 crashed and gave no answer. Of an evaluation the attempt is held without a score, until',
    '"attempts retry" has it made again or "attempts fail" counts it with an empty response; of a submission it counts so at once.',
    'A command that crashes before it has answered once, or that is not found, stops everything. Processes that the command leaves',
    'behind are ended with it. SEXTANT_KEY is taken out of its environment: the key can read what is expected.',
    '',
    'Ctrl-C ends the commands that are under way and gives their attempts back. Of an evaluation those are in the queue again, at most',
    'twice if they had made calls. Of a submission an attempt is had once: what was done until then is its result, with an empty response.',
    'With --json: each event as a line, in the end the counts. docs/external-agents.md tells more.',
  ].join('\n'),
  operands: [run],
  options: [agent, command, cliProgram, cliConfig, cliOwnTools, parallelOption, keepGoing],
  async run(given, context) {
    const wanted = readSubmissionOrAgentOptions(given);
    await claimAndMakeAttemptsWithOutput(
      {
        wanted,
        make: await chooseMaker(given),
        parallel: given.parseOptionValue(parallelOption) ?? defaultParallel,
        keepGoing: given.parseOptionValue(keepGoing),
      },
      context,
    );
    if ('submission' in wanted) noteNextStep(context.output, `watch ${wanted.submission}`);
  },
};

async function chooseMaker(given: Given): Promise<AttemptMaker> {
  const [shell, program] = [given.parseOptionValue(command), given.parseOptionValue(cliProgram)];
  if ((shell === undefined) === (program === undefined)) throw new UsageError('give one of --command and --cli');
  if (shell !== undefined) return makeAttemptsWithShell(shell, process.env);
  const preset = findPreset(await readPresets(given.parseOptionValue(cliConfig)), program ?? '');
  await readPresetVersion(preset);
  return makeAttemptsWithPreset(preset, { ownTools: given.parseOptionValue(cliOwnTools) });
}

function readSubmissionOrAgentOptions(given: Given): Wanted {
  const [id, name] = [given.firstOperandWordOrThrow(run), given.parseOptionValue(agent)];
  if (id.startsWith('sub_')) {
    if (name !== undefined) throw new UsageError('a submission has but one agent: leave --agent out');
    return { submission: id };
  }
  if (name === undefined) throw new UsageError(`--agent NAME is missing: ${agent.about}`);
  return { evaluation: id, agent: name };
}

const evaluation = { name: 'evaluation', about: 'the id of an evaluation, such as evl_...' };
const one = optionalOption(
  'agent',
  'NAME',
  'an external agent of the evaluation; all of them without it',
  makeSchemaTextParser(agentName),
);

const retryAttempts: Command = {
  verb: 'attempts retry',
  about: 'Put the crashed attempts of an evaluation back into the queue',
  more: [
    'Only attempts that are held: one that has a score is never made again, and a submission to a leaderboard holds none.',
    'The results say how many were made again. Repeating it puts back what crashed since.',
  ].join('\n'),
  operands: [evaluation],
  options: [one],
  run: (given, context) => settleCrashes('retry', given, context),
};

const failAttempts: Command = {
  verb: 'attempts fail',
  about: 'Count the crashed attempts of an evaluation as failed, with an empty response',
  more: 'Final: they get their scores, and cannot be made again. The further requests of their units can be claimed then.',
  operands: [evaluation],
  options: [one],
  run: (given, context) => settleCrashes('fail', given, context),
};

async function settleCrashes(what: 'retry' | 'fail', given: Given, { client, output }: CommandContext): Promise<void> {
  const [id, name] = [given.firstOperandWordOrThrow(evaluation), given.parseOptionValue(one)];
  const settled = await client.attempts.settleCrashes(id, { do: what, agent: name });
  const became = what === 'retry' ? 'can be claimed again' : 'counted with an empty response';
  output.writeAsJsonOrLines(settled, () => [
    settled.attempts === 0
      ? 'no crashed attempt is held there'
      : `${countWithNoun(settled.attempts, 'crashed attempt')} ${became}`,
  ]);
  if (settled.attempts > 0)
    noteNextStep(output, `attempts run ${id} --agent ${name ?? 'NAME'} --command "COMMAND"`, `watch ${id}`);
}

/** Verbs for external agents. */
export const attemptCommands: readonly Command[] = [runAttempts, retryAttempts, failAttempts];
