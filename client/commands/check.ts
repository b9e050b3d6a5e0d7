import { budget, explorationConfig } from '#core/exploration/config.ts';
import { checkFolder, startLocalSextant } from '../check/local-sextant.ts';
import { checkServers, type Checked } from '../check/check-servers.ts';
import { openServersToCheck } from '../check/servers-to-check.ts';
import type { Command } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/context.ts';
import { numberParser, optionalOption } from '../command-line/options.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { CommandError } from '../command-line/usage-error.ts';
import { allowsOption } from './servers.ts';
import { toolReportLines } from '../display/tool-report-lines.ts';
import { z } from 'zod';

const target = { name: 'server', about: 'the address of an MCP server, or a file with `mcpServers`' };
const defaultUnits = 30;
const units = optionalOption(
  'units',
  'N',
  `how many units to try, ten to a round (${defaultUnits} without it)`,
  numberParser(z.int().min(1).max(10_000)),
);
const maxCost = optionalOption(
  'max-cost',
  'USD',
  'end once so much is spent',
  numberParser(budget.shape.costUsd.unwrap()),
);
const seed = optionalOption(
  'seed',
  'N',
  'decides what is drawn (1 without it)',
  numberParser(explorationConfig.shape.seed),
);

const check: Command = {
  verb: 'check',
  about: 'Say for each tool of your MCP servers whether agents can use it',
  more: [
    'Starts a Sextant of its own on this machine unless --url or SEXTANT_URL names one, and local servers of the file as well.',
    'Tools that may write are not called without --allow.',
    `What was found stays in ${checkFolder} until the next check: npm start -- --folder ${checkFolder}`,
  ].join('\n'),
  operands: [target],
  options: [units, maxCost, allowsOption, seed],
  open: true,
  async run(given, context) {
    const { output, signal } = context;
    const options = {
      allows: given.value(allowsOption) ?? 'reads',
      units: given.value(units) ?? defaultUnits,
      seed: given.value(seed) ?? 1,
      maxCost: given.value(maxCost),
      progress: output.progressSinkOutsideJson,
    } as const;
    await using open = await openServersToCheck(given.requireWord(target), (line) => output.writeNote(line));
    await using local = context.isServiceNamed
      ? null
      : await startLocalSextant(signal, (line) => options.progress.write(`${line}\n`));
    const checked = await checkServers(local?.client ?? context.client, { ...options, servers: open.servers });
    writeToolReport(checked, context);
  },
};

function writeToolReport({ run, report, leftOut }: Checked, { output }: CommandContext): void {
  output.writeValue({ exploration: run.id, status: run.status, reason: run.reason, leftOut, report }, () => [
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
