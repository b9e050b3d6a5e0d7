import { headlineScorerKey, getScorer } from '#core/scoring/scorers.ts';
import { exportFormats, type BreakdownGroup } from '#core/evaluation/breakdown-record.ts';
import { groupColumns, groupRows, unitColumns } from '../display/breakdown-columns.ts';
import type { Command } from '../command-line/command.ts';
import type { Output } from '../command-line/output.ts';
import { flagOption, oneOfParser, optionalOption, requiredOption, parseNonEmptyText } from '../command-line/options.ts';
import { tableLines } from '../command-line/table-lines.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { comparisonLines, resultLines } from '../display/results-table.ts';
import { writeFileAtomically } from '../files/atomic-file.ts';

const evaluation = { name: 'evaluation', about: 'the id of an evaluation, such as evl_...' };
const first = { name: 'a', about: 'the name of an agent of the evaluation' };
const second = { name: 'b', about: 'the name of the agent that it is compared with' };

const units = flagOption('units', 'what each agent came to in each unit');
const servers = flagOption('servers', 'the agents on the units of each server');
const domains = flagOption('domains', 'the agents on the units of each domain');
const views = [units, servers, domains];

const out = optionalOption(
  'out',
  'FILE',
  'where to write; the standard output where it is not given',
  parseNonEmptyText,
);
const format = requiredOption('format', 'FORMAT', `one of ${exportFormats.join(', ')}`, oneOfParser(exportFormats));

const results: Command = {
  verb: 'results',
  about: `Show the agents of an evaluation with their scores, the best ${getScorer(headlineScorerKey).title} first`,
  more: 'Over the units that are done so far. With --json: the results as the API tells them; with a flag an item a line.',
  operands: [evaluation],
  options: views,
  async run(given, { client, output }) {
    const id = given.word(evaluation);
    if (views.filter((view) => given.value(view)).length > 1) {
      throw new UsageError('give one of --units, --servers and --domains');
    }
    if (given.value(units)) {
      return output.writeList(client.evaluations.unitResults(id), unitColumns, 'no agent is done with a unit yet');
    }
    if (given.value(servers)) return showGroups(output, 'server', await client.evaluations.servers(id));
    if (given.value(domains)) return showGroups(output, 'domain', await client.evaluations.domains(id));
    const found = await client.evaluations.results(id);
    output.writeValue(found, () => resultLines(found, output.lineWidth));
  },
};

function showGroups(output: Output, by: string, groups: readonly BreakdownGroup[]): void {
  if (output.isJson) for (const group of groups) output.writeValue(group, () => []);
  else
    for (const line of tableLines(groupColumns(by), groupRows(groups), output.lineWidth)) output.writeText(`${line}\n`);
}

const compare: Command = {
  verb: 'compare',
  about: 'Compare two agents of an evaluation unit by unit',
  operands: [evaluation, first, second],
  options: [],
  async run(given, { client, output }) {
    const found = await client.evaluations.compare(given.word(evaluation), given.word(first), given.word(second));
    output.writeValue(found, () => comparisonLines(found, output.lineWidth));
  },
};

const report: Command = {
  verb: 'report',
  about: 'Write what an evaluation came to as a Markdown document',
  operands: [evaluation],
  options: [out],
  async run(given, { client, output }) {
    const id = given.word(evaluation);
    const to = given.value(out);
    const found = await client.evaluations.report(id);
    if (to === undefined) return output.writeText(found);
    await writeFileAtomically(to, yieldOnce(found));
    output.writeValue({ evaluation: id, file: to }, () => [to]);
  },
};

async function* yieldOnce(whole: string): AsyncGenerator<string, void, undefined> {
  yield whole;
}

const exportResults: Command = {
  verb: 'export-results',
  about: 'Write the attempts of an evaluation with their scores, one a line or row',
  operands: [evaluation],
  options: [format, out],
  async run(given, { client, output }) {
    const id = given.word(evaluation);
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

/** Verbs on the results of an evaluation. */
export const resultCommands: readonly Command[] = [results, compare, report, exportResults];
