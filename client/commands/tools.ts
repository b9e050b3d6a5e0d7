import { agentName } from '#core/evaluation/config.ts';
import type { Command } from '../command-line/command.ts';
import { optionalOption, makeSchemaTextParser } from '../command-line/options.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { toolReportLines } from '../display/tool-report-lines.ts';
import { requireWritableReportFiles } from './report-files.ts';
import { parseRunId, runOperand } from './run-operand.ts';
import { toolReportFileOptions, writeToolReportFiles } from './tool-report-file-options.ts';

const agent = optionalOption(
  'agent',
  'NAME',
  'only the attempts of this agent of an evaluation; all without it',
  makeSchemaTextParser(agentName),
);

const tools: Command = {
  verb: 'tools',
  about: 'Say for each tool whether agents can use it: success, misses, errors, and what it is confused with',
  more: 'Tools that were never called are listed too. The attempts behind the figures are in "traces" and in the units.',
  operands: [runOperand],
  options: [agent, ...toolReportFileOptions],
  async run(given, { client, output }) {
    const run = parseRunId(given.firstOperandWordOrThrow(runOperand));
    if (run.kind === 'evolution')
      throw new UsageError(`the attempts of an evolution are among those of its exploration: ${run.exploration}`);
    const only = given.parseOptionValue(agent);
    if (run.kind === 'exploration' && only !== undefined)
      throw new UsageError('an exploration has no agents to choose from; leave --agent out');
    await requireWritableReportFiles(given, toolReportFileOptions);
    const report =
      run.kind === 'evaluation'
        ? await client.evaluations.tools(run.id, only)
        : await client.explorations.tools(run.id);
    const title = only === undefined ? run.id : `${only} in ${run.id}`;
    await writeToolReportFiles(given, { title: `Tools of ${title}`, notes: [], reports: [{ title, report }] });
    output.writeAsJsonOrLines(report, () => toolReportLines(report, output.lineWidth));
  },
};

/** Verbs on tools. */
export const toolCommands: readonly Command[] = [tools];
