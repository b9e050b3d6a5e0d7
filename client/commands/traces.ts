import { agentName } from '#core/evaluation/config.ts';
import type { Command } from '../command-line/command.ts';
import { optionalOption, requiredOption, parseNonEmptyText, makeSchemaTextParser } from '../command-line/options.ts';
import { writeToFileOrOutput } from '../files/file-or-output.ts';

const evaluation = { name: 'evaluation', about: 'the id of an evaluation, such as evl_...' };
const agent = requiredOption('agent', 'NAME', 'an agent of the evaluation', makeSchemaTextParser(agentName));
const out = optionalOption(
  'out',
  'FILE',
  'where to write; the standard output where it is not given',
  parseNonEmptyText,
);

const traces: Command = {
  verb: 'traces',
  about: "Write an agent's attempts at public units as a file of traces, which can be submitted to a leaderboard",
  operands: [evaluation],
  options: [agent, out],
  async run(given, { client, output }) {
    const [id, name] = [given.firstOperandWordOrThrow(evaluation), given.parseOptionValue(agent)];
    await writeToFileOrOutput(client.evaluations.traces(id, name), given.parseOptionValue(out), output, {
      evaluation: id,
      agent: name,
    });
  },
};

/** The verb that exports an agent's attempts. */
export const traceCommands: readonly Command[] = [traces];
