import { budget, explorationConfig } from '#core/exploration/config.ts';
import { startCommandWithOptions } from '../../scripts/installation.ts';
import { checkFolder, startEmptyLocalSextant } from '../check/local-sextant.ts';
import { registerServersAndExploreTools, type Checked } from '../check/check-servers.ts';
import { openServersOfFileOrAddress } from '../check/servers-to-check.ts';
import type { Command } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/context.ts';
import { makeSchemaNumberParser, optionalOption } from '../command-line/options.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { CommandError } from '../command-line/usage-error.ts';
import { requireWritableReportFiles } from './report-files.ts';
import { allowsOption } from './servers.ts';
import { toolReportFileOptions, writeToolReportFiles } from './tool-report-file-options.ts';
import { toolReportLines } from '../display/tool-report-lines.ts';
import { z } from 'zod';

const target = { name: 'server', about: 'the address of an MCP server, or a file with `mcpServers`' };
const defaultUnits = 30;
const units = optionalOption(
  'units',
  'N',
  `how many units to try, ten to a round (${defaultUnits} without it)`,
  makeSchemaNumberParser(z.int().min(1).max(10_000)),
);
const maxCost = optionalOption(
  'max-cost',
  'USD',
  'end once so much is spent',
  makeSchemaNumberParser(budget.shape.costUsd.unwrap()),
);
const seed = optionalOption(
  'seed',
  'N',
  'decides what is drawn (1 without it)',
  makeSchemaNumberParser(explorationConfig.shape.seed),
);

const check: Command = {
  verb: 'check',
  about: 'Say for each tool of your MCP servers whether agents can use it',
  more: [
    'Starts a Sextant of its own on this machine unless --url or SEXTANT_URL names one, and local servers of the file as well.',
    'Tools that may write are not called without --allow.',
    `What was found stays in ${checkFolder} until the next check: ${startCommandWithOptions} --folder ${checkFolder}`,
  ].join('\n'),
  operands: [target],
  options: [units, maxCost, allowsOption, seed, ...toolReportFileOptions],
  open: true,
  async run(given, context) {
    const { output, signal } = context;
    const options = {
      allows: given.parseOptionValue(allowsOption) ?? 'reads',
      units: given.parseOptionValue(units) ?? defaultUnits,
      seed: given.parseOptionValue(seed) ?? 1,
      maxCost: given.parseOptionValue(maxCost),
      progress: output.outSinkOrNotesInJsonMode,
    } as const;
    await requireWritableReportFiles(given, toolReportFileOptions);
    await using open = await openServersOfFileOrAddress(given.firstOperandWordOrThrow(target), (line) =>
      output.writeNote(line),
    );
    await using local = context.isServiceNamed
      ? null
      : await startEmptyLocalSextant(signal, (line) => options.progress.write(`${line}\n`));
    const checked = await registerServersAndExploreTools(local?.client ?? context.client, {
      ...options,
      servers: open.servers,
    });
    const title = `Check of ${open.servers.map(({ name }) => name).join(', ')}`;
    await writeToolReportFiles(given, title, [{ title: checked.run.id, report: checked.report }]);
    writeToolReport(checked, context);
  },
};

function writeToolReport({ run, report, leftOut }: Checked, { output }: CommandContext): void {
  output.writeAsJsonOrLines({ exploration: run.id, status: run.status, reason: run.reason, leftOut, report }, () => [
    '',
    ...toolReportLines(report, output.lineWidth),
    ...(leftOut.length === 0
      ? []
      : [
          '',
          `${countWithNoun(leftOut.length, 'tool')} not called, see --allow: ${leftOut.map(makePrintableLine).join(', ')}`,
        ]),
  ]);
  if (run.status !== 'completed')
    throw new CommandError(`the check is ${run.status}: ${makePrintableLine(run.reason ?? '')}`);
}

/** The verb that goes from nothing to a verdict. */
export const checkCommands: readonly Command[] = [check];
