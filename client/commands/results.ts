import { getProtocol } from '#core/protocols/protocols.ts';
import { getScorer } from '#core/scoring/scorers.ts';
import { breakdowns, exportFormats, type BreakdownGroup } from '#core/evaluation/breakdown-record.ts';
import { rankAgents } from '#core/evaluation/figure-texts.ts';
import type { EvaluationResults } from '#core/evaluation/record.ts';
import { breakdownGroupColumns, groupRows, unitResultColumns, type GroupRow } from '../display/breakdown-columns.ts';
import type { Command } from '../command-line/command.ts';
import type { Output } from '../command-line/output.ts';
import { flagOption, oneOfParser, optionalOption, requiredOption, parseNonEmptyText } from '../command-line/options.ts';
import { tableLines, type Column } from '../command-line/table-lines.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { caseLines } from '../display/case-lines.ts';
import { scorePartTableLines } from '../display/part-lines.ts';
import { agentComparisonLines, resultTableLines } from '../display/results-table.ts';
import { writeFileAtomically } from '../files/atomic-file.ts';

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

const results: Command = {
  verb: 'results',
  about: "Show the agents of an evaluation with their scores, the best by the protocol's headline first",
  more: 'Over the units that are done so far. With --json: the results as the API tells them; with a flag an item a line.',
  operands: [evaluation],
  options: views,
  async run(given, { client, output }) {
    const id = given.requireWord(evaluation);
    if (views.filter((view) => given.value(view)).length > 1) {
      throw new UsageError(`give one of ${views.map(({ name }) => `--${name}`).join(', ')}`);
    }
    if (given.value(units)) {
      const { protocol } = await client.evaluations.get(id);
      return output.writeList(
        client.evaluations.unitResults(id),
        unitResultColumns(protocol),
        'no agent is done with a unit yet',
      );
    }
    for (const { by, title, flag } of groupings)
      if (given.value(flag)) {
        const { protocol } = await client.evaluations.get(id);
        return printBreakdownGroups(
          output,
          breakdownGroupColumns(title, protocol),
          await client.evaluations.breakdown(id, by),
        );
      }
    const found = await client.evaluations.results(id);
    if (given.value(parts)) return printScoreParts(output, found);
    output.writeValue(found, () => resultTableLines(found, output.lineWidth));
  },
};

function printScoreParts(output: Output, results: EvaluationResults): void {
  const agents = rankAgents(results);
  if (output.isJson)
    for (const { name, parts: own } of agents) output.writeValue({ agent: name, parts: own }, () => []);
  else
    for (const line of scorePartTableLines(agents, results.protocol, output.lineWidth)) output.writeText(`${line}\n`);
}

function printBreakdownGroups(
  output: Output,
  columns: readonly Column<GroupRow>[],
  groups: readonly BreakdownGroup[],
): void {
  if (output.isJson) for (const group of groups) output.writeValue(group, () => []);
  else for (const line of tableLines(columns, groupRows(groups), output.lineWidth)) output.writeText(`${line}\n`);
}

const compare: Command = {
  verb: 'compare',
  about: 'Compare two agents of an evaluation unit by unit',
  operands: [evaluation, first, second],
  options: [],
  async run(given, { client, output }) {
    const found = await client.evaluations.compare(
      given.requireWord(evaluation),
      given.requireWord(first),
      given.requireWord(second),
    );
    output.writeValue(found, () => agentComparisonLines(found, output.lineWidth));
  },
};

const report: Command = {
  verb: 'report',
  about: 'Write what an evaluation came to as a Markdown document',
  operands: [evaluation],
  options: [out],
  async run(given, { client, output }) {
    const id = given.requireWord(evaluation);
    const to = given.value(out);
    const found = await client.evaluations.report(id);
    if (to === undefined) return output.writeText(found);
    await writeFileAtomically(to, yieldWholeText(found));
    output.writeValue({ evaluation: id, file: to }, () => [to]);
  },
};

async function* yieldWholeText(whole: string): AsyncGenerator<string, void, undefined> {
  yield whole;
}

const exportResults: Command = {
  verb: 'export-results',
  about: 'Write the attempts of an evaluation with their scores, one a line or row',
  operands: [evaluation],
  options: [format, out],
  async run(given, { client, output }) {
    const id = given.requireWord(evaluation);
    const to = given.value(out);
    const pieces = client.evaluations.exportAttempts(id, given.value(format));
    if (to === undefined) {
      for await (const piece of pieces) output.writeText(piece);
      return;
    }
    await writeFileAtomically(to, pieces);
    output.writeValue({ evaluation: id, file: to }, () => [to]);
  },
};

const cases: Command = {
  verb: 'cases',
  about: 'List the cases of an evaluation: an agent on a unit in a trial each',
  operands: [evaluation],
  options: [],
  async run(given, { client, output }) {
    const id = given.requireWord(evaluation);
    const { headline } = getProtocol((await client.evaluations.get(id)).protocol);
    return output.writeList(
      client.evaluations.cases(id),
      [
        { title: 'case', cell: ({ id }) => id },
        { title: 'agent', cell: ({ agent }) => agent },
        { title: 'unit', cell: ({ unit }) => unit },
        { title: 'trial', cell: ({ trial }) => trial },
        { title: 'stage', cell: ({ stage }) => stage.kind },
        {
          title: getScorer(headline).title,
          cell: ({ scores }) => scores[headline]?.value ?? 'none',
        },
      ],
      'there are no cases',
    );
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
export const resultCommands: readonly Command[] = [results, compare, cases, showCase, report, exportResults];
