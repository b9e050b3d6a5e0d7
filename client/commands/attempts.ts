import { agentName } from '#core/evaluation/config.ts';
import type { Command, Given } from '../command-line/command.ts';
import {
  flagOption,
  optionalOption,
  requiredOption,
  parseNonEmptyText,
  makeSchemaTextParser,
} from '../command-line/options.ts';
import { UsageError } from '../command-line/usage-error.ts';
import {
  defaultParallel,
  parallelOption,
  claimAndMakeAttemptsWithOutput,
} from '../external-agent/queue-with-output.ts';
import type { Wanted } from '../resources/attempts.ts';

const run = { name: 'run', about: 'the id of an evaluation, such as evl_..., or of a submission, such as sub_...' };

const agent = optionalOption(
  'agent',
  'NAME',
  'an external agent of the evaluation; a submission has but one',
  makeSchemaTextParser(agentName),
);
const command = requiredOption(
  'command',
  '"COMMAND"',
  'what makes one attempt; run by sh in the present folder',
  parseNonEmptyText,
);
const keepGoing = flagOption('keep-going', 'go on even where the command fails five times in a row');

const runAttempts: Command = {
  verb: 'attempts run',
  about: 'Evaluate an agent of your own: run a command on each attempt of an external agent or a submission',
  more: [
    'The command finds the request on its standard input and in SEXTANT_REQUEST. The tools are at the MCP server SEXTANT_MCP_URL, which',
    'wants the header "Authorization" with the value of SEXTANT_MCP_AUTHORIZATION; the token alone is in SEXTANT_MCP_TOKEN. What the',
    'command prints is the response. It has until SEXTANT_DEADLINE (ISO 8601); SEXTANT_ATTEMPT is the id of the attempt.',
    '',
    'A command that fails gave no answer: the response is empty. One that is not found stops everything. Processes that the',
    'command leaves behind are ended with it. SEXTANT_KEY is taken out of its environment: the key can read what is expected.',
    '',
    'Ctrl-C ends the commands that are under way and gives their attempts back. Of an evaluation those are in the queue again, at most',
    'twice if they had made calls. Of a submission an attempt is had once: what was done until then is its result, with an empty response.',
    'With --json: each event as a line, in the end the counts. docs/external-agents.md tells more.',
  ].join('\n'),
  operands: [run],
  options: [agent, command, parallelOption, keepGoing],
  async run(given, context) {
    await claimAndMakeAttemptsWithOutput(
      {
        wanted: readSubmissionOrAgentOptions(given),
        command: given.parseOptionValue(command),
        parallel: given.parseOptionValue(parallelOption) ?? defaultParallel,
        keepGoing: given.parseOptionValue(keepGoing),
      },
      context,
    );
  },
};

function readSubmissionOrAgentOptions(given: Given): Wanted {
  const [id, name] = [given.firstOperandWordOrThrow(run), given.parseOptionValue(agent)];
  if (id.startsWith('sub_')) {
    if (name !== undefined) throw new UsageError('a submission has but one agent: leave --agent out');
    return { submission: id };
  }
  if (name === undefined) throw new UsageError(`--agent NAME is missing: ${agent.about}`);
  return { evaluation: id, agent: name };
}

/** The verb for external agents. */
export const attemptCommands: readonly Command[] = [runAttempts];
