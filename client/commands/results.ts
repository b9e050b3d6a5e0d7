import { breakdowns, exportFormats, type BreakdownGroup } from '#core/evaluation/breakdown-record.ts';
import { rankAgents } from '#core/evaluation/figure-texts.ts';
import type { EvaluationResults } from '#core/evaluation/record.ts';
import { groupColumns, groupRows, unitColumns, type GroupRow } from '../display/breakdown-columns.ts';
import type { Command } from '../command-line/command.ts';
import type { Output } from '../command-line/output.ts';
import { flagOption, oneOfParser, optionalOption, requiredOption, parseNonEmptyText } from '../command-line/options.ts';
import { tableLines, type Column } from '../command-line/table-lines.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { caseLines } from '../display/case-lines.ts';
import { partLines } from '../display/part-lines.ts';
import { evaluationReport } from '../report/evaluation-report.ts';
import { readReportedEvaluation } from '../report/read-evaluation.ts';
import { unfinishedLines } from '../display/unfinished-lines.ts';
import { comparisonLines, resultLines } from '../display/results-table.ts';
import { requireWritable } from '../files/atomic-file.ts';
import { writeToFileOrOutput } from '../files/file-or-output.ts';

const evaluation = { name: 'evaluation', about: 'the id of an evaluation, such as evl_...' };
const wantedCase = { name: 'case', about: 'the id of one of its cases' };
const first = { name: 'a', about: 'the name of an agent of the evaluation' };
const second = { name: 'b', about: 'the name of the agent that it is compared with' };

const units = flagOption('units', 'what each agent came to in each unit');
const parts = flagOption('parts', 'what the scores are made of, such as SA, SO, PA and FA of MTC');
const groupings = breakdowns.map((each) => ({ ...each, flag: flagOption(`${each.by}s`, `the agents on ${each.of}`) }));
const views = [units, parts, ...groupings.map(({ flag }) => flag)];

const out = optionalOption(
  'out',
  'FILE',
  'where to write; the standard output where it is not given',
  parseNonEmptyText,
);
const format = requiredOption('format', 'FORMAT', `one of ${exportFormats.join(', ')}`, oneOfParser(exportFormats));

const asHtml = flagOption('html', 'one HTML file with tables and figures, in place of Markdown');
const wait = flagOption('wait', 'wait until the evaluation is over');

const results: Command = {
  verb: 'results',
  about: "Show the agents of an evaluation with their scores, the best by the protocol's headline first",
  more: 'Over the units that are done so far; the first line says so while some are not. With --json: the results with the status of the run; with a flag an item a line.',
  operands: [evaluation],
  options: views,
  async run(given, { client, output }) {
    const id = given.requireWord(evaluation);
    if (views.filter((view) => given.value(view)).length > 1) {
      throw new UsageError(`give one of ${views.map(({ name }) => `--${name}`).join(', ')}`);
    }
    if (given.value(units)) {
      const run = await client.evaluations.get(id);
      for (const line of unfinishedLines(run)) output.writeNote(line);
      return output.writeList(
        client.evaluations.unitResults(id),
        unitColumns(run.protocol),
        'no agent is done with a unit yet',
      );
    }
    for (const { by, title, flag } of groupings)
      if (given.value(flag)) {
        const run = await client.evaluations.get(id);
        for (const line of unfinishedLines(run)) output.writeNote(line);
        return showGroups(output, groupColumns(title, run.protocol), await client.evaluations.breakdown(id, by));
      }
    const [run, found] = [await client.evaluations.get(id), await client.evaluations.results(id)];
    if (given.value(parts)) return printScoreParts(output, found);
    const { status, progress } = run;
    output.writeValue({ status, progress, ...found }, () => [
      ...unfinishedLines(run),
      ...resultLines(found, output.lineWidth),
    ]);
  },
};

function printScoreParts(output: Output, results: EvaluationResults): void {
  const agents = rankAgents(results);
  if (output.isJson)
    for (const { name, parts: own } of agents) output.writeValue({ agent: name, parts: own }, () => []);
  else for (const line of partLines(agents, results.protocol, output.lineWidth)) output.writeText(`${line}\n`);
}

function showGroups(output: Output, columns: readonly Column<GroupRow>[], groups: readonly BreakdownGroup[]): void {
  if (output.isJson) for (const group of groups) output.writeValue(group, () => []);
  else for (const line of tableLines(columns, groupRows(groups), output.lineWidth)) output.writeText(`${line}\n`);
}

const compare: Command = {
  verb: 'compare',
  about: 'Compare two agents of an evaluation unit by unit',
  more: 'Exit code 0 whatever the comparison says; "gate" decides for scripts.',
  operands: [evaluation, first, second],
  options: [wait],
  async run(given, { client, output }) {
    const id = given.requireWord(evaluation);
    const run = given.value(wait) ? await client.evaluations.wait(id) : await client.evaluations.get(id);
    const found = await client.evaluations.compare(id, given.requireWord(first), given.requireWord(second));
    const { status, progress } = run;
    output.writeValue({ status, progress, ...found }, () => [
      ...unfinishedLines(run),
      ...comparisonLines(found, output.lineWidth),
    ]);
  },
};

const report: Command = {
  verb: 'report',
  about: 'Write what an evaluation came to as a Markdown document, or as an HTML file for everybody',
  more: 'The HTML file is whole: it loads nothing and runs nothing, so it can be kept by a CI, sent, or opened years later.',
  operands: [evaluation],
  options: [asHtml, out],
  async run(given, { client, output }) {
    const id = given.requireWord(evaluation);
    const to = given.value(out);
    if (to !== undefined) await requireWritable(to);
    const text = given.value(asHtml)
      ? await evaluationReport(await readReportedEvaluation(client, id))
      : await client.evaluations.report(id);
    await writeToFileOrOutput([text], to, output, { evaluation: id });
  },
};

const exportResults: Command = {
  verb: 'export-results',
  about: 'Write the attempts of an evaluation with their scores, one a line or row',
  operands: [evaluation],
  options: [format, out],
  async run(given, { client, output }) {
    const id = given.requireWord(evaluation);
    const pieces = client.evaluations.exportAttempts(id, given.value(format));
    await writeToFileOrOutput(pieces, given.value(out), output, { evaluation: id });
  },
};

const showCase: Command = {
  verb: 'case',
  about: 'Show why a case has its figures: goals, calls, answers, and every score with its reasons and parts',
  operands: [evaluation, wantedCase],
  options: [],
  async run(given, { client, output }) {
    const found = await client.evaluations.case(given.requireWord(evaluation), given.requireWord(wantedCase));
    output.writeValue(found, () => caseLines(found));
  },
};

/** Verbs on the results of an evaluation. */
export const resultCommands: readonly Command[] = [results, compare, showCase, report, exportResults];
