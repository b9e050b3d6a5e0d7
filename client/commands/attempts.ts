import { z } from 'zod';
import { agentName } from '#core/evaluation/config.ts';
import type { Command } from '../command-line/command.ts';
import { withDefault } from '../command-line/defaults.ts';
import { flag, numberOf, option, required, text, textOf } from '../command-line/options.ts';
import type { Output } from '../command-line/output.ts';
import { Tally } from '../external-agent/tally.ts';
import { workOff, type QueueEvent } from '../external-agent/queue.ts';
import { endedLine } from '../external-agent/wording.ts';

const evaluation = { name: 'evaluation', about: 'the id of an evaluation, such as evl_...' };
const parallelSchema = z.int().min(1).max(50).default(1);

const agent = required('agent', 'NAME', 'an external agent of the evaluation', textOf(agentName));
const command = required('command', '"COMMAND"', 'what makes one attempt; run by sh in the present folder', text);
const parallel = option(
  'parallel',
  'N',
  withDefault('attempts that are made at once', parallelSchema),
  numberOf(parallelSchema),
);
const keepGoing = flag('keep-going', 'go on even where the command fails five times in a row');

const run: Command = {
  verb: 'attempts run',
  about: 'Evaluate an agent of your own: run a command on each attempt of an external agent',
  more: [
    'The command finds the request on its standard input and in SEXTANT_REQUEST. The tools are at the MCP server SEXTANT_MCP_URL, which',
    'wants the header "Authorization" with the value of SEXTANT_MCP_AUTHORIZATION; the token alone is in SEXTANT_MCP_TOKEN. What the',
    'command prints is the response. It has until SEXTANT_DEADLINE (ISO 8601); SEXTANT_ATTEMPT is the id of the attempt.',
    '',
    'A command that fails gave no answer: the response is empty. One that is not found stops everything. Processes that the',
    'command leaves behind are ended with it. SEXTANT_KEY is taken out of its environment: the key can read what is expected.',
    '',
    'Ctrl-C ends the commands that are under way; their claims run out by themselves, and are in the queue again.',
    'With --json: each event as a line, in the end the counts. docs/external-agents.md tells more.',
  ].join('\n'),
  operands: [evaluation],
  options: [agent, command, parallel, keepGoing],
  async run(given, { client, output, signal }) {
    const tally = new Tally();
    try {
      await workOff({
        client,
        signal,
        evaluation: given.word(evaluation),
        agent: given.value(agent),
        command: given.value(command),
        environment: process.env,
        parallel: given.value(parallel) ?? parallelSchema.parse(undefined),
        keepGoing: given.value(keepGoing),
        tell: (event) => {
          if (event.type === 'ended') tally.add(event.outcome);
          show(event, output);
        },
      });
    } finally {
      output.value({ type: 'summary', counts: tally.counts }, () => [tally.line()]);
    }
  },
};

function show(event: QueueEvent, output: Output): void {
  if (event.type === 'waiting') {
    const why = 'nothing to claim just now: all that is left is claimed, or the evaluation is paused; waiting';
    return output.isJson ? output.value(event, () => []) : output.note(why);
  }
  const { id, request, deadline } = event.attempt;
  // The token stays out of what may be kept.
  if (event.type === 'claimed') return output.value({ type: 'claimed', attempt: id, request, deadline }, () => []);
  const { durationMs, outcome } = event;
  output.value({ type: 'ended', attempt: id, durationMs, outcome }, () => [endedLine(event)]);
}

/** The verb for agents from outside. */
export const attemptCommands: readonly Command[] = [run];
