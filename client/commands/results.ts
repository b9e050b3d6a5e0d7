import { breakdowns, type BreakdownGroup } from '#core/evaluation/breakdown-record.ts';
import { sortAgentsByHeadlineMean } from '#core/evaluation/figure-texts.ts';
import type { EvaluationResults } from '#core/evaluation/record.ts';
import { listShownScorers } from '#core/evaluation/shown-scorers.ts';
import type { ListedScorer } from '#core/benchmarks/protocols/protocols.ts';
import {
  breakdownGroupColumns,
  flattenGroupsToAgentRows,
  unitResultColumns,
  type GroupRow,
} from '../display/breakdown-columns.ts';
import type { Client } from '../client.ts';
import type { Command } from '../command-line/command.ts';
import type { Output } from '../command-line/output.ts';
import { flagOption, optionalOption, parseNonEmptyText } from '../command-line/options.ts';
import { tableLines, type Column } from '../command-line/table-lines.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { caseLines } from '../display/case-lines.ts';
import { scorePartTableLines } from '../display/part-lines.ts';
import { evaluationReportHtml } from '../report/evaluation-report.ts';
import { readReportedEvaluation } from '../report/read-evaluation.ts';
import { scorerHelpLines } from '../display/scorer-help.ts';
import { unfinishedEvaluationLines } from '../display/unfinished-lines.ts';
import { agentComparisonLines, resultTableLines } from '../display/results-table.ts';
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

const asHtml = flagOption('html', 'one HTML file with tables and figures, in place of Markdown');
const wait = flagOption('wait', 'wait until the evaluation is over');

const results: Command = {
  verb: 'results',
  about: "Show the agents of an evaluation with their scores, the best by the protocol's headline first",
  more: [
    'Over the units that are done so far; the first line says so while some are not. With --json: the results with the status of the run; with a flag an item a line.',
    '',
    ...scorerHelpLines,
  ].join('\n'),
  operands: [evaluation],
  options: views,
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(evaluation);
    if (views.filter((view) => given.parseOptionValue(view)).length > 1) {
      throw new UsageError(`give one of ${views.map(({ name }) => `--${name}`).join(', ')}`);
    }
    if (given.parseOptionValue(units)) {
      const run = await client.evaluations.get(id);
      for (const line of unfinishedEvaluationLines(run)) output.writeNote(line);
      return output.writeRowsAsJsonOrTable(
        client.evaluations.unitResults(id),
        unitResultColumns(run.protocol, await readShownScorers(client, output, id)),
        'no agent is done with a unit yet',
      );
    }
    for (const { by, title, flag } of groupings)
      if (given.parseOptionValue(flag)) {
        const run = await client.evaluations.get(id);
        for (const line of unfinishedEvaluationLines(run)) output.writeNote(line);
        return printBreakdownGroups(
          output,
          breakdownGroupColumns(title, await readShownScorers(client, output, id)),
          await client.evaluations.breakdown(id, by),
        );
      }
    const [run, found] = [await client.evaluations.get(id), await client.evaluations.results(id)];
    if (given.parseOptionValue(parts)) return printScoreParts(output, found);
    const { status, progress } = run;
    output.writeAsJsonOrLines({ status, progress, ...found }, () => [
      ...unfinishedEvaluationLines(run),
      ...resultTableLines(found, output.lineWidth),
    ]);
  },
};

/** Reads which scorers a table shows; none for JSON, which has all of them. */
const readShownScorers = async (client: Client, output: Output, id: string): Promise<readonly ListedScorer[]> =>
  output.isJson ? [] : listShownScorers(await client.evaluations.results(id));

function printScoreParts(output: Output, results: EvaluationResults): void {
  const agents = sortAgentsByHeadlineMean(results);
  if (output.isJson)
    for (const { name, parts: own } of agents) output.writeAsJsonOrLines({ agent: name, parts: own }, () => []);
  else
    for (const line of scorePartTableLines(agents, listShownScorers(results), output.lineWidth))
      output.writeText(`${line}\n`);
}

function printBreakdownGroups(
  output: Output,
  columns: readonly Column<GroupRow>[],
  groups: readonly BreakdownGroup[],
): void {
  if (output.isJson) for (const group of groups) output.writeAsJsonOrLines(group, () => []);
  else
    for (const line of tableLines(columns, flattenGroupsToAgentRows(groups), output.lineWidth))
      output.writeText(`${line}\n`);
}

const compare: Command = {
  verb: 'compare',
  about: 'Compare two agents of an evaluation unit by unit',
  more: [
    'The agents are compared on the units that both are done with. Exit code 0 whatever the comparison says: "gate" decides for scripts, also between evaluations.',
    '',
    ...scorerHelpLines,
  ].join('\n'),
  operands: [evaluation, first, second],
  options: [wait],
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(evaluation);
    const run = given.parseOptionValue(wait) ? await client.evaluations.wait(id) : await client.evaluations.get(id);
    const found = await client.evaluations.compare(
      id,
      given.firstOperandWordOrThrow(first),
      given.firstOperandWordOrThrow(second),
    );
    const { status, progress } = run;
    output.writeAsJsonOrLines({ status, progress, ...found }, () => [
      ...unfinishedEvaluationLines(run),
      ...agentComparisonLines(found, output.lineWidth),
    ]);
  },
};

const report: Command = {
  verb: 'report',
  about: 'Write what an evaluation came to as a Markdown document, or as an HTML file for everybody',
  more: 'The HTML file is whole: it loads nothing and runs nothing, so it can be kept by a CI, sent, or opened years later. With --json: the document as `report`.',
  operands: [evaluation],
  options: [asHtml, out],
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(evaluation);
    const to = given.parseOptionValue(out);
    if (to !== undefined) await requireWritable(to);
    const text = given.parseOptionValue(asHtml)
      ? await evaluationReportHtml(await readReportedEvaluation(client, id))
      : await client.evaluations.report(id);
    if (to === undefined && output.isJson) return output.writeAsJsonOrLines({ evaluation: id, report: text }, () => []);
    await writeToFileOrOutput([text], to, output, { evaluation: id });
  },
};

const showCase: Command = {
  verb: 'case',
  about: 'Show why a case has its figures: goals, calls, answers, and every score with its reasons and parts',
  operands: [evaluation, wantedCase],
  options: [],
  async run(given, { client, output }) {
    const found = await client.evaluations.case(
      given.firstOperandWordOrThrow(evaluation),
      given.firstOperandWordOrThrow(wantedCase),
    );
    output.writeAsJsonOrLines(found, () => caseLines(found));
  },
};

/** Verbs on the results of an evaluation. */
export const resultCommands: readonly Command[] = [results, compare, showCase, report];
