import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { agentName } from '#core/evaluation/config.ts';
import { exportFormats } from '#core/evaluation/breakdown-record.ts';
import { inspectLogFileName } from '#core/evaluation/inspect-log/log.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import type { Client } from '../client.ts';
import type { Command } from '../command-line/command.ts';
import type { Output } from '../command-line/output.ts';
import {
  makeOneOfParser,
  makeSchemaTextParser,
  optionalOption,
  parseNonEmptyText,
  requiredOption,
} from '../command-line/options.ts';
import { CommandError, UsageError } from '../command-line/usage-error.ts';
import { unfinishedLines } from '../display/unfinished-lines.ts';
import { requireWritable } from '../files/atomic-file.ts';
import { writeToFileOrOutput } from '../files/file-or-output.ts';

const evaluation = { name: 'evaluation', about: 'the id of an evaluation, such as evl_...' };
const formats = [...exportFormats, 'inspect'] as const;
const format = requiredOption('format', 'FORMAT', `one of ${formats.join(', ')}`, makeOneOfParser(formats));
const agent = optionalOption(
  'agent',
  'NAME',
  'with --format inspect: only the log of this agent',
  makeSchemaTextParser(agentName),
);
const out = optionalOption(
  'out',
  'FILE',
  'where to write; with --format inspect a folder, with a file for each agent; the standard output where it is not given',
  parseNonEmptyText,
);

const exportResults: Command = {
  verb: 'export-results',
  about: 'Write the attempts of an evaluation with their scores: one a line or row, or as eval logs of Inspect AI',
  more: 'The eval logs have whole conversations, and "inspect view --log-dir FOLDER" shows them.',
  operands: [evaluation],
  options: [format, agent, out],
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(evaluation);
    const [wanted, to] = [given.parseOptionValue(format), given.parseOptionValue(out)];
    const named = given.parseOptionValue(agent);
    if (wanted === 'inspect') return writeInspectLogs(client, output, { id, named, folder: to });
    if (named !== undefined) throw new UsageError('--agent is for --format inspect; the other formats have all agents');
    if (to !== undefined) await requireWritable(to);
    await writeToFileOrOutput(client.evaluations.exportAttempts(id, wanted), to, output, { evaluation: id });
  },
};

interface WantedLogs {
  readonly id: string;
  /** Undefined for all agents. */
  readonly named: string | undefined;
  /** Undefined for the standard output. */
  readonly folder: string | undefined;
}

async function writeInspectLogs(client: Client, output: Output, { id, named, folder }: WantedLogs): Promise<void> {
  if (folder !== undefined) await makeFolder(folder);
  const run = await client.evaluations.get(id);
  const agents = chooseAgents(run, named);
  const [first] = agents;
  for (const line of unfinishedLines(run)) output.writeNote(line);
  if (folder === undefined) {
    if (first === undefined || agents.length > 1)
      throw new UsageError(`name a folder with --out, or one agent with --agent: ${agents.join(', ')}`);
    return writeToFileOrOutput(client.evaluations.inspectLog(id, first), undefined, output, {});
  }
  for (const name of agents) {
    const file = join(folder, inspectLogFileName(run, name));
    await writeToFileOrOutput(client.evaluations.inspectLog(id, name), file, output, { evaluation: id, agent: name });
  }
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new CommandError(
      `the folder ${folder} cannot be made: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  });
}

function chooseAgents({ agents }: EvaluationRecord, named: string | undefined): string[] {
  const names = agents.map(({ name }) => name);
  if (named === undefined) return names;
  if (!names.includes(named)) throw new UsageError(`there is no agent ${named} in it; it has ${names.join(', ')}`);
  return [named];
}

/** The verb that writes the attempts of an evaluation for other programs. */
export const exportCommands: readonly Command[] = [exportResults];
