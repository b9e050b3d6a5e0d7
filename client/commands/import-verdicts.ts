import { agentName } from '#core/evaluation/config.ts';
import { labellerName, maxPerCall, type AttemptPlace } from '#core/evaluation/labels.ts';
import {
  makeLabelsOfPublishedVerdicts,
  makeVotesOfPublishedVerdicts,
  type PlacesByTask,
} from '#core/evaluation/live-mcp-bench/match-verdicts.ts';
import { publishedLabels, publishedVerdicts } from '#core/benchmarks/formats/live-mcp-bench/verdict.ts';
import type { Client } from '../client.ts';
import type { Command } from '../command-line/command.ts';
import type { Output } from '../command-line/output.ts';
import { parseNonEmptyText, requiredOption, makeSchemaTextParser } from '../command-line/options.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { readPublishedJsonFile } from '../files/read-published-file.ts';

const evaluation = { name: 'evaluation', about: "the id of an evaluation on LiveMCPBench's tasks" };
const file = { name: 'file', about: 'a published file: a JSON list with a task_id each' };
const agent = requiredOption('agent', 'NAME', 'whose attempts are meant', makeSchemaTextParser(agentName));
const judge = requiredOption('judge', 'NAME', 'whose verdicts they are', parseNonEmptyText);
const labeller = requiredOption('labeller', 'NAME', 'whose labels they are', makeSchemaTextParser(labellerName));

const strict =
  'A text that is no verdict is unparsed, whatever words it has: it is named and counted, and is neither success nor failure.';

/** Finds the first evaluated attempt of an agent at each published task. */
async function findFirstAttemptsByTask(client: Client, run: string, by: string): Promise<PlacesByTask> {
  const { config } = await client.evaluations.get(run);
  const tasks = new Map<string, string>();
  for await (const unit of client.benchmarks.units(config.benchmark))
    if (unit.kind === 'task') tasks.set(unit.id, unit.provenance.task);
  const places = new Map<string, AttemptPlace>();
  for await (const each of client.evaluations.cases(run, { filter: { agent: by } })) {
    const task = tasks.get(each.unit);
    const request = each.requests.find((name) => each.attempts[name]?.evaluated === true);
    if (task === undefined || request === undefined || places.has(task)) continue;
    places.set(task, { unit: each.unit, agent: by, trial: each.trial, request });
  }
  return places;
}

interface Imported {
  readonly count: number;
  readonly unparsed: readonly string[];
  readonly unmatched: readonly string[];
}

function printImportCounts(output: Output, what: string, { count, unparsed, unmatched }: Imported): void {
  const named = (title: string, names: readonly string[]): string[] =>
    names.length === 0 ? [] : [`${title}: ${names.length} (${makePrintableLine(names.slice(0, 10).join(', '))})`];
  output.writeAsJsonOrLines({ [`${what}s`]: count, unparsed, unmatched }, () => [
    countWithNoun(count, what),
    ...named('unparsed', unparsed),
    ...named('without an evaluated attempt, or twice in the file', unmatched),
  ]);
}

/** Yields as many items at once as a call takes. */
function* yieldBatchesOfMaxPerCall<T>(items: readonly T[]): Generator<T[]> {
  for (let from = 0; from < items.length; from += maxPerCall) yield items.slice(from, from + maxPerCall);
}

const importVotes: Command = {
  verb: 'import live-mcp-bench-votes',
  about: "Take a judge's published verdicts on LiveMCPBench's tasks as votes",
  more: strict,
  operands: [evaluation, file],
  options: [agent, judge],
  async run(given, { client, output }) {
    const run = given.firstOperandWordOrThrow(evaluation);
    const published = await readPublishedJsonFile(given.firstOperandWordOrThrow(file), publishedVerdicts);
    const places = await findFirstAttemptsByTask(client, run, given.parseOptionValue(agent));
    const { votes, ...leftOut } = makeVotesOfPublishedVerdicts(published, places);
    for (const some of yieldBatchesOfMaxPerCall(votes))
      await client.labels.addVotes(run, { judge: given.parseOptionValue(judge), votes: some });
    printImportCounts(output, 'vote', { count: votes.length, ...leftOut });
  },
};

const importLabels: Command = {
  verb: 'import live-mcp-bench-labels',
  about: "Take people's published annotation of LiveMCPBench's tasks as labels",
  more: strict,
  operands: [evaluation, file],
  options: [agent, labeller],
  async run(given, { client, output }) {
    const run = given.firstOperandWordOrThrow(evaluation);
    const published = await readPublishedJsonFile(given.firstOperandWordOrThrow(file), publishedLabels);
    const places = await findFirstAttemptsByTask(client, run, given.parseOptionValue(agent));
    const { labels, ...leftOut } = makeLabelsOfPublishedVerdicts(published, places);
    for (const some of yieldBatchesOfMaxPerCall(labels))
      await client.labels.add(run, { labeller: given.parseOptionValue(labeller), labels: some });
    printImportCounts(output, 'label', { count: labels.length, ...leftOut });
  },
};

/** Verbs that import published verdicts. */
export const importVerdictCommands: readonly Command[] = [importVotes, importLabels];
