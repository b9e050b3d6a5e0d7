import { evaluationConfig } from '#core/evaluation/config.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import { budget, explorationConfig } from '#core/exploration/config.ts';
import { startCommandWithOptions } from '../../engine/installation.ts';
import { checkFolder, startEmptyLocalSextant } from '../check/local-sextant.ts';
import { checkServers, type Checked } from '../check/check-servers.ts';
import { openServersOfFileOrAddress } from '../check/servers-to-check.ts';
import type { Command, Given } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/context.ts';
import { noteNextStep, noteStart } from '../command-line/next-step.ts';
import { makeSchemaNumberParser, optionalOption } from '../command-line/options.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { CommandError, UsageError } from '../../engine/usage-error.ts';
import { requireWritableReportFiles } from './report-files.ts';
import { allowsOption } from './servers.ts';
import { toolReportFileOptions, writeToolReportFiles } from './tool-report-file-options.ts';
import { toolReportsLines, withoutRepeatedFindings, type ToolReports } from '../display/tool-report-files.ts';
import type { NewEvaluation } from '../resources/evaluations.ts';
import { modelAgentOptions, readAgents } from './evaluated-agents.ts';
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
  'end once so much is spent, by exploring and by the agents',
  makeSchemaNumberParser(budget.shape.costUsd.unwrap()),
);
const seed = optionalOption(
  'seed',
  'N',
  'decides what is drawn (1 without it)',
  makeSchemaNumberParser(explorationConfig.shape.seed),
);

const sample = optionalOption(
  'sample',
  'N',
  'how many of the units each --agent gets; all without it',
  makeSchemaNumberParser(evaluationConfig.shape.sample.unwrap().shape.units),
);

const check: Command = {
  verb: 'check',
  about: 'Say for each tool of your MCP servers whether agents can use it',
  more: [
    'Starts a Sextant of its own on this machine unless --url or SEXTANT_URL names one, and local servers of the file as well.',
    'Tools that may write are not called without --allow.',
    'With --agent, which can be repeated, the models work on the units that the exploration accepted, and the verdicts are of their calls.',
    `What was found stays in ${checkFolder} until the next check: ${startCommandWithOptions} --folder ${checkFolder}`,
  ].join('\n'),
  operands: [target],
  options: [units, maxCost, allowsOption, seed, ...modelAgentOptions, sample, ...toolReportFileOptions],
  open: true,
  async run(given, context) {
    const { output, signal } = context;
    const options = {
      allows: given.parseOptionValue(allowsOption) ?? 'reads',
      units: given.parseOptionValue(units) ?? defaultUnits,
      seed: given.parseOptionValue(seed) ?? 1,
      maxCost: given.parseOptionValue(maxCost),
      given: { agents: await readGivenAgents(given), sample: given.parseOptionValue(sample) },
      progress: output.outSinkOrNotesInJsonMode,
    } as const;
    await requireWritableReportFiles(given, toolReportFileOptions);
    await using open = await openServersOfFileOrAddress(given.firstOperandWordOrThrow(target), (line) =>
      output.writeNote(line),
    );
    await using local = context.isServiceNamed
      ? null
      : await startEmptyLocalSextant(signal, (line) => options.progress.write(`${line}\n`));
    const checked = await checkServers(local?.client ?? context.client, { ...options, servers: open.servers });
    const reports = makeCheckReports(
      open.servers.map(({ name }) => name),
      checked,
    );
    await writeToolReportFiles(given, reports);
    writeCheckResultOrThrow(checked, reports, context);
    if (local !== null) noteStart(output, checkFolder);
    else noteNextStep(output, `units ${checked.run.id}`, `tools ${checked.run.id}`);
    throwUnlessCompleted(checked);
  },
};

/** Returns the agents that a line names; none if it says nothing of agents. */
async function readGivenAgents(given: Given): Promise<NewEvaluation['agents']> {
  if (modelAgentOptions.some((option) => given.has(option))) return readAgents(given);
  if (given.has(sample)) throw new UsageError('--sample is for agents: give --agent NAME=MODEL too');
  return [];
}

function makeCheckReports(servers: readonly string[], { run, report, evaluated }: Checked): ToolReports {
  const title = `Check of ${servers.join(', ')}`;
  if (evaluated === null) return { title, notes: [], reports: [{ title: run.id, report }] };
  const reports = evaluated.agents.map((each) => ({
    title: agentTitle(each.name, evaluated.run),
    report: each.report,
  }));
  return {
    title,
    notes: run.offline ? ['Rules, not a model, wrote the requests that the agents got.'] : [],
    reports: withoutRepeatedFindings(reports),
  };
}

/** Names an agent with its model. */
function agentTitle(name: string, { agents }: EvaluationRecord): string {
  const agent = agents.find((each) => each.name === name);
  return agent !== undefined && 'model' in agent ? `${name} (${agent.model})` : name;
}

function writeCheckResultOrThrow(checked: Checked, reports: ToolReports, { output }: CommandContext): void {
  const { run, report, leftOut, evaluated } = checked;
  const { id: exploration, status, reason } = run;
  const evaluation =
    evaluated === null
      ? {}
      : { evaluation: { id: evaluated.run.id, status: evaluated.run.status, agents: evaluated.agents } };
  output.writeAsJsonOrLines({ exploration, status, reason, leftOut, report, ...evaluation }, () => [
    '',
    ...toolReportsLines(reports, output.lineWidth),
    ...(leftOut.length === 0
      ? []
      : [
          '',
          `${countWithNoun(leftOut.length, 'tool')} not called, see --allow: ${leftOut.map(makePrintableLine).join(', ')}`,
        ]),
  ]);
}

/** Throws if the check, or the work of agents in it, did not come to its end. */
function throwUnlessCompleted({ run, evaluated, unevaluated }: Checked): void {
  if (run.status !== 'completed')
    throw new CommandError(`the check is ${run.status}: ${makePrintableLine(run.reason ?? '')}`);
  if (unevaluated !== null) throw new CommandError(`no agent worked on the units: ${unevaluated}`);
  if (evaluated !== null && evaluated.run.status !== 'completed')
    throw new CommandError(
      `the evaluation is ${evaluated.run.status}: ${makePrintableLine(evaluated.run.reason ?? '')}`,
    );
}

/** The verb that goes from nothing to a verdict. */
export const checkCommands: readonly Command[] = [check];
