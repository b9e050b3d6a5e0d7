import { makeTaskBenchmark } from '#core/formats/live-mcp-bench/make-benchmark.ts';
import { publishedTasks } from '#core/formats/live-mcp-bench/tasks.ts';
import { readPublishedFile } from '../files/read-published-file.ts';
import type { Command } from '../command-line/command.ts';
import { optionalOption, parseNonEmptyText, requiredOption } from '../command-line/options.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { CommandError } from '../command-line/usage-error.ts';

const file = { name: 'file', about: "the tasks as their authors publish them: LiveMCPBench's all_annotations.json" };
const catalog = requiredOption('catalog', 'ID', 'the catalog whose tools agents get', parseNonEmptyText);
const name = optionalOption('name', 'TEXT', "the benchmark's name", parseNonEmptyText);

const importLiveMcpBench: Command = {
  verb: 'import live-mcp-bench',
  about: "Make a benchmark of LiveMCPBench's tasks over the tools of a catalog",
  more: [
    'Each task is a unit with one request. The steps that people wrote down are the key points by which a judge decides on success.',
    "Tools that people named and that the catalog has are the unit's chain; another path can be a success too.",
    'Servers are connected as usual: register yours first, and freeze a catalog.',
  ].join('\n'),
  operands: [file],
  options: [catalog, name],
  async run(given, { client, output }) {
    const from = given.requireWord(file);
    const tasks = await readPublishedFile(from, publishedTasks);
    const { catalog: frozen, tools } = await client.catalogs.get(given.value(catalog));
    const made = await makeTaskBenchmark(tasks, {
      name: given.value(name) ?? 'LiveMCPBench',
      catalog: frozen.id,
      tools,
    });
    if (made.lines.length === 0) throw new CommandError(`there is no task in ${from}`);
    const text = made.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    // Null agents call tools with side effects, and nobody has asked for that.
    const record = await client.benchmarks.importFile(new Blob([text]), { floor: false });
    const { repeated, unknownTools, ambiguousTools } = made;
    output.writeValue({ benchmark: record, repeated, unknownTools, ambiguousTools }, () => [
      `${record.id}: ${countWithNoun(record.units, 'task')}, ${countWithNoun(record.tools, 'tool')}`,
      ...leftOutLine('tasks that are in the file twice', repeated),
      ...leftOutLine('annotated tools that the catalog does not have', unknownTools),
      ...leftOutLine('annotated tools that several servers have', ambiguousTools),
    ]);
  },
};

const leftOutLine = (what: string, names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : [
        `${what}: ${names.length} (${makePrintableLine(names.slice(0, 10).join(', '))}${names.length > 10 ? ', ...' : ''})`,
      ];

/** Verbs that import published tasks. */
export const importCommands: readonly Command[] = [importLiveMcpBench];
