import { readTextFile } from '../files/read-text-file.ts';
import { taskFormats } from '#core/benchmarks/formats/task-formats.ts';
import type { TaskFormat } from '#core/benchmarks/formats/task-format.ts';
import { protocols, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { Protocol } from '#core/benchmarks/protocols/protocol.ts';
import { writeToFileOrOutput } from '../files/file-or-output.ts';
import type { Command } from '../command-line/command.ts';
import { optionalOption, parseNonEmptyText, requiredOption } from '../command-line/options.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { CommandError, UsageError } from '../../engine/usage-error.ts';

const catalog = requiredOption('catalog', 'ID', 'the catalog whose tools agents get', parseNonEmptyText);
const name = optionalOption('name', 'TEXT', "the benchmark's name", parseNonEmptyText);

/** Makes the verb that imports tasks of a format. */
function makeImportCommand({ key, title }: Protocol<ProtocolKey>, format: TaskFormat): Command {
  const file = { name: 'file', about: format.file };
  return {
    verb: `import ${key}`,
    about: `Make a benchmark of ${title}'s tasks over the tools of a catalog`,
    more: [...format.notes, 'Servers are connected as usual: register yours first, and freeze a catalog.'].join('\n'),
    operands: [file],
    options: [catalog, name],
    async run(given, { client, output }) {
      const from = given.firstOperandWordOrThrow(file);
      const published = await readTextFile(from);
      const { catalog: frozen, tools } = await client.catalogs.get(given.parseOptionValue(catalog));
      const named = given.parseOptionValue(name) ?? title;
      const to = { name: named, protocol: key, collection: title, catalog: frozen.id, tools };
      const made = await format.read(published, to);
      if (!made.ok) throw new UsageError(`${from} cannot be read: ${made.problem}`);
      const { lines, leftOut } = made.value;
      const lacking = leftOut.flatMap(({ title, names }) => leftOutNoteLines(title, names));
      if (lines.length === 0) throw new CommandError([`there is no task in ${from}`, ...lacking].join('\n'));
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      // Null agents call tools with side effects, and nobody has asked for that.
      const record = await client.benchmarks.importFile(new Blob([text]), { floor: false });
      const left = Object.fromEntries(leftOut.map(({ key, names }) => [key, names]));
      output.writeAsJsonOrLines({ benchmark: record, ...left }, () => [
        `${record.id}: ${countWithNoun(record.units, 'task')}, ${countWithNoun(record.tools, 'tool')}`,
        ...lacking,
      ]);
    },
  };
}

const leftOutNoteLines = (what: string, names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : [
        `${what}: ${names.length} (${makePrintableLine(names.slice(0, 10).join(', '))}${names.length > 10 ? ', ...' : ''})`,
      ];

const benchmark = { name: 'benchmark', about: 'its id' };
const out = optionalOption('out', 'FILE', 'where to write; standard output', parseNonEmptyText);

/** Makes the verb that writes tasks of a format. */
const makeExportCommand = (
  { key, title }: Protocol<ProtocolKey>,
  write: NonNullable<TaskFormat['write']>,
): Command => ({
  verb: `export ${key}`,
  about: `Write the tasks of a benchmark in ${title}'s format`,
  more: 'What the format has no place for is left out: the tools, and which unit is held out.',
  operands: [benchmark],
  options: [out],
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(benchmark);
    const units = await Array.fromAsync(client.benchmarks.units(id));
    const tasks = units.filter((unit) => unit.kind === 'task');
    if (tasks.length === 0) throw new CommandError(`${id} has no tasks`);
    const pieces = async function* () {
      yield write(tasks);
    };
    await writeToFileOrOutput(pieces(), given.parseOptionValue(out), output, { benchmark: id }, 'other');
  },
});

/** Verbs that import and export published tasks. */
export const importCommands: readonly Command[] = protocols.flatMap((protocol) => {
  const format = taskFormats[protocol.key];
  if (format === null) return [];
  const importing = makeImportCommand(protocol, format);
  return format.write === null ? [importing] : [importing, makeExportCommand(protocol, format.write)];
});
