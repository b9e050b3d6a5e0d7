import { z } from 'zod';
import { evaluationConfig } from '#core/evaluation/config.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import { budget, explorationConfig } from '#core/exploration/config.ts';
import { baselineOf, onlyFamilies, readBaseline, withoutAccepted } from '#core/reports/check/baseline.ts';
import type { CheckReport } from '#core/reports/check/report.ts';
import { families, type Family, type Severity } from '#core/reports/check/rules.ts';
import { severities } from '#core/reports/tool-report/record.ts';
import { CommandError, UsageError } from '../../engine/usage-error.ts';
import { checkServers, type Checked } from '../check/check-servers.ts';
import { readCheckTarget, type CheckTarget } from '../check/check-target.ts';
import { checkFolder, startEmptyLocalSextant } from '../check/local-sextant.ts';
import { runCheck } from '../check/run-check.ts';
import { driftLines, driftSentence } from '../display/drift-lines.ts';
import { findDrift, readLock } from '../lock/find-drift.ts';
import { serveLocalServers } from '../check/servers-to-check.ts';
import type { Command, Given } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/context.ts';
import { noteNextStep, noteStart } from '../command-line/next-step.ts';
import {
  flagOption,
  makeOneOfParser,
  makeSchemaNumberParser,
  optionalOption,
  parseNonEmptyText,
} from '../command-line/options.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { checkBadgeSvg, checkJunitXml, checkMarkdown, checkSarif } from '../display/check-files.ts';
import { checkLines, type RepeatCommand } from '../display/check-lines.ts';
import { toolReportsLines, withoutRepeatedFindings, type ToolReports } from '../display/tool-report-files.ts';
import { writeFileAtomically } from '../files/atomic-file.ts';
import { readTextFile } from '../files/read-text-file.ts';
import { checkPage } from '../report/check-page.ts';
import type { NewEvaluation } from '../resources/evaluations.ts';
import { repeatCall } from './call.ts';
import { modelAgentOptions, readAgents } from './evaluated-agents.ts';
import {
  htmlOption,
  junitOption,
  markdownOption,
  requireWritableReportFiles,
  writeReportFiles,
} from './report-files.ts';
import { allowsOption } from './servers.ts';

const target = {
  name: 'server',
  about: 'the address of an MCP server, a file with `mcpServers`, or one with the result of `tools/list`',
};
const staticOption = flagOption('static', 'look at the definitions only, and call nothing');
const failOn = optionalOption(
  'fail-on',
  severities.join('|'),
  'end with exit code 1 if there is a finding so bad or worse',
  makeOneOfParser(severities),
);
const only = optionalOption(
  'only',
  'FAMILIES',
  `which findings are of interest, such as safe,clear; all of ${families.join(', ')} without it`,
  (text): readonly Family[] => text.split(',').map((each) => makeOneOfParser(families)(each.trim())),
);
const baselineOption = optionalOption(
  'baseline',
  'FILE',
  'a file of findings that you accept; they are left out',
  parseNonEmptyText,
);
const lockOption = optionalOption(
  'lock',
  'FILE',
  'a lock of these servers (see "lock"): what has changed is named, and ends the check with exit code 1',
  parseNonEmptyText,
);
const accept = flagOption('accept', 'write all that was found into the file of --baseline');
const verbose = flagOption('verbose', 'show each finding of low severity too');
const sarif = optionalOption('sarif', 'FILE', 'where SARIF goes, for code scanning', parseNonEmptyText);
const badge = optionalOption('badge', 'FILE', 'where a badge goes, as SVG', parseNonEmptyText);
const units = optionalOption(
  'units',
  'N',
  'explore the servers too, with so many units, ten to a round (30 for --agent without it)',
  makeSchemaNumberParser(z.int().min(1).max(10_000)),
);
const defaultUnits = 30;
const maxCost = optionalOption(
  'max-cost',
  'USD',
  'end once so much is spent, by exploring and by the agents',
  makeSchemaNumberParser(budget.shape.costUsd.unwrap()),
);
const seed = optionalOption(
  'seed',
  'N',
  'decides what an exploration draws (1 without it)',
  makeSchemaNumberParser(explorationConfig.shape.seed),
);
const sample = optionalOption(
  'sample',
  'N',
  'how many of the units each --agent gets; all without it',
  makeSchemaNumberParser(evaluationConfig.shape.sample.unwrap().shape.units),
);
const fileOptions = [markdownOption, junitOption, htmlOption, sarif, badge];

const check: Command = {
  verb: 'check',
  about: 'Say what agents will stumble over in your MCP servers, and how to fix it',
  more: [
    'Needs no model and no key. Tools that only read are called, with good and with bad arguments; others are not called without --allow.',
    'With --agent, which can be repeated, or --units, a Sextant explores the servers as well (one of its own, unless --url or SEXTANT_URL names one),',
    `and the agents work on the units that it accepted. What it found stays in ${checkFolder} until the next check.`,
  ].join('\n'),
  operands: [target],
  options: [
    staticOption,
    allowsOption,
    failOn,
    only,
    baselineOption,
    lockOption,
    accept,
    verbose,
    ...fileOptions,
    ...modelAgentOptions,
    units,
    sample,
    maxCost,
    seed,
  ],
  open: true,
  async run(given, context) {
    const { output, signal } = context;
    const what = given.firstOperandWordOrThrow(target);
    const agents = await readGivenAgents(given);
    const ofInterest = given.parseOptionValue(only);
    const failsOn = given.parseOptionValue(failOn);
    const accepted = await readAccepted(given);
    const locked = await readLock(given.parseOptionValue(lockOption));
    const servers = readCheckTarget(what);
    await requireWritableReportFiles(given, [...fileOptions, ...(given.has(accept) ? [baselineOption] : [])]);
    const progress = (line: string): void => output.writeNote(line);
    const { report: whole, unusable } = await runCheck(servers, {
      allows: given.parseOptionValue(allowsOption) ?? 'reads',
      static: given.has(staticOption),
      progress,
      signal,
    });
    const [first] = unusable;
    if (first !== undefined && whole.servers.length === 0)
      throw new CommandError(`${first.server} cannot be checked: ${makePrintableLine(first.why)}`);
    const chosen = ofInterest === undefined ? whole : onlyFamilies(whole, ofInterest);
    const report = accepted === null ? chosen : withoutAccepted(chosen, accepted);
    const repeat: RepeatCommand = (call, server) => (servers.kind === 'list' ? null : repeatCall(what, call, server));
    const isVerbose = given.has(verbose);
    if (!output.isJson)
      for (const line of checkLines(report, { width: output.lineWidth, verbose: isVerbose, repeatCommand: repeat }))
        output.writeText(`${line}\n`);
    const drift =
      locked === null ? null : await findDrift(locked, servers, { isStatic: given.has(staticOption), signal });
    if (drift !== null && !output.isJson)
      for (const line of ['', ...(drift.length === 0 ? ['nothing has changed since the lock'] : driftLines(drift))])
        output.writeText(`${line}\n`);
    await writeAccepted(given, chosen, output);
    const explored =
      agents.length > 0 || given.has(units)
        ? await exploreAndEvaluate(servers, agents, { given, context }).catch((error: unknown) => ({ error }))
        : null;
    // What was found without agents is shown and kept, whatever became of them.
    const reports = explored !== null && 'reports' in explored ? explored.reports : null;
    await writeReportFiles(given, [
      [markdownOption, () => checkMarkdown(report, reports)],
      [junitOption, () => checkJunitXml(report, reports)],
      [htmlOption, () => checkPage(report, repeat, reports)],
      [sarif, () => checkSarif(report, { file: what })],
      [badge, () => checkBadgeSvg(report)],
    ]);
    if (output.isJson)
      output.writeText(`${JSON.stringify({ ...report, ...(drift && { drift }), ...exploredValue(explored) })}\n`);
    if (explored !== null && 'error' in explored) throw explored.error;
    if (explored !== null) showExplored(explored, context);
    if (first !== undefined)
      throw new CommandError(
        `${countWithNoun(unusable.length, 'server')} could not be checked: ${unusable.map(({ server }) => server).join(', ')}`,
      );
    if (drift !== null && drift.length > 0) throw new CommandError(`${driftSentence(drift)} since the lock (--lock)`);
    throwIfAnyIsSoBad(failsOn, report);
  },
};

async function readAccepted(given: Given): Promise<ReturnType<typeof baselineOf> | null> {
  const file = given.parseOptionValue(baselineOption);
  if (given.has(accept)) {
    if (file === undefined) throw new UsageError('--accept needs --baseline FILE: where the accepted findings go');
    return null;
  }
  if (file === undefined) return null;
  const read = readBaseline(await readTextFile(file));
  if (read.ok) return read.value;
  throw new UsageError(`${file}: ${read.problem} (--accept writes such a file)`);
}

async function writeAccepted(given: Given, report: CheckReport, output: CommandContext['output']): Promise<void> {
  const file = given.parseOptionValue(baselineOption);
  if (file === undefined || !given.has(accept)) return;
  const accepted = baselineOf(report);
  await writeFileAtomically(file, [`${JSON.stringify(accepted, null, 2)}\n`]);
  output.writeNote(`${file}: ${countWithNoun(accepted.accepted.length, 'finding')} accepted`);
}

function throwIfAnyIsSoBad(least: Severity | undefined, { findings }: CheckReport): void {
  if (least === undefined) return;
  const bad = findings.filter(({ severity }) => severities.indexOf(severity) <= severities.indexOf(least));
  if (bad.length > 0)
    throw new CommandError(`${countWithNoun(bad.length, 'finding')} of severity ${least} or worse (--fail-on)`);
}

/** Returns the agents that a line names; none if it says nothing of agents. */
async function readGivenAgents(given: Given): Promise<NewEvaluation['agents']> {
  if (modelAgentOptions.some((option) => given.has(option))) return readAgents(given);
  if (given.has(sample)) throw new UsageError('--sample is for agents: give --agent NAME=MODEL too');
  if (given.has(maxCost) && !given.has(units))
    throw new UsageError('--max-cost bounds what models spend: give --agent NAME=MODEL or --units too');
  return [];
}

/** What an exploration and the agents showed, and which Sextant has it: null for one that was named. */
interface Explored {
  readonly checked: Checked;
  readonly reports: ToolReports;
  readonly folder: string | null;
}

async function exploreAndEvaluate(
  servers: CheckTarget,
  agents: NewEvaluation['agents'],
  { given, context }: { readonly given: Given; readonly context: CommandContext },
): Promise<Explored> {
  if (servers.kind === 'list') throw new UsageError('a list of tools cannot be explored: give its server');
  const { output, signal } = context;
  const progress = output.outSinkOrNotesInJsonMode;
  await using open = await serveLocalServers(servers.entries, (line) => output.writeNote(line));
  await using local = context.isServiceNamed
    ? null
    : await startEmptyLocalSextant(signal, (line) => progress.write(`${line}\n`));
  const checked = await checkServers(local?.client ?? context.client, {
    servers: open.servers,
    allows: given.parseOptionValue(allowsOption) ?? 'reads',
    units: given.parseOptionValue(units) ?? defaultUnits,
    seed: given.parseOptionValue(seed) ?? 1,
    maxCost: given.parseOptionValue(maxCost),
    given: { agents, sample: given.parseOptionValue(sample) },
    progress,
  });
  const names = servers.entries.map(({ name }) => name);
  return { checked, reports: makeToolReports(names, checked), folder: local === null ? null : checkFolder };
}

function makeToolReports(servers: readonly string[], { run, report, evaluated }: Checked): ToolReports {
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

function exploredValue(explored: Explored | { readonly error: unknown } | null): Readonly<Record<string, unknown>> {
  if (explored === null || 'error' in explored) return {};
  const { run, report, evaluated } = explored.checked;
  const { id, status, reason } = run;
  return {
    exploration: { id, status, reason, report },
    ...(evaluated === null
      ? {}
      : { evaluation: { id: evaluated.run.id, status: evaluated.run.status, agents: evaluated.agents } }),
  };
}

/** Shows what agents did, and where it stays. Throws if the exploration, or the work of agents in it, did not come to its end. */
function showExplored({ checked, reports, folder }: Explored, { output }: CommandContext): void {
  const { run } = checked;
  if (!output.isJson)
    for (const line of ['', 'What agents did with the tools:', ...toolReportsLines(reports, output.lineWidth)])
      output.writeText(`${line}\n`);
  if (folder !== null) noteStart(output, folder);
  else noteNextStep(output, `units ${run.id}`, `tools ${run.id}`);
  throwUnlessCompleted(checked);
}

function throwUnlessCompleted({ run, evaluated, unevaluated }: Checked): void {
  if (run.status !== 'completed')
    throw new CommandError(`the exploration is ${run.status}: ${makePrintableLine(run.reason ?? '')}`);
  if (unevaluated !== null) throw new CommandError(`no agent worked on the units: ${unevaluated}`);
  if (evaluated !== null && evaluated.run.status !== 'completed')
    throw new CommandError(
      `the evaluation is ${evaluated.run.status}: ${makePrintableLine(evaluated.run.reason ?? '')}`,
    );
}

/** The verb that says what is to be fixed. */
export const checkCommands: readonly Command[] = [check];
