import { readTextFile } from '../files/read-text-file.ts';
import { parseToolFile } from '#core/benchmarks/formats/live-mcp-bench/described-servers.ts';
import type { Command } from '../command-line/command.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { CommandError } from '../../engine/usage-error.ts';

const file = { name: 'file', about: "the tools as their authors publish them: LiveMCPBench's tools.json" };

/** Lines of problems that are shown. */
const shownProblems = 20;

const importTools: Command = {
  verb: 'import live-mcp-bench-tools',
  about: "Make a catalog of LiveMCPBench's published tools; their servers are only described",
  more: [
    'Agents find these tools, and a call of one tells them that its server is not connected, until you register a server of that name with its address.',
    'One that you have registered already stays as it is. Importing the same file again changes nothing.',
  ].join('\n'),
  operands: [file],
  options: [],
  async run(given, { client, output }) {
    const from = given.firstOperandWordOrThrow(file);
    const text = await readTextFile(from);
    const read = parseToolFile(text);
    if (!read.ok) {
      const lines = read.problem.slice(0, shownProblems).map(makePrintableLine);
      const more = read.problem.length - lines.length;
      throw new CommandError(
        [`${from} cannot be imported:`, ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
      );
    }
    const servers = await client.servers.importDescribed(read.value);
    const catalog = await client.catalogs.create(servers.map(({ id }) => id));
    const connected = servers.filter(({ url }) => url !== null).map(({ name }) => name);
    output.writeAsJsonOrLines({ catalog, servers, connected }, () => [
      `${catalog.id}: ${countWithNoun(catalog.tools, 'tool')} of ${countWithNoun(catalog.servers.length, 'server')}`,
      ...(connected.length === 0 ? [] : [`connected already: ${connected.join(', ')}`]),
    ]);
  },
};

/** Verbs that import published tools. */
export const importToolsCommands: readonly Command[] = [importTools];
