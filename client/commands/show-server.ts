import type { ServerWithTools } from '../resources/servers.ts';
import type { Command } from '../command-line/command.ts';
import { fieldLines } from '../command-line/field-lines.ts';
import { tableLines } from '../command-line/table-lines.ts';
import { makePrintableLine, countsByNameText } from '../command-line/text.ts';
import { descriptionText, surveyOutcomeText } from './server-lines.ts';
import { toolColumns } from '../display/tool-columns.ts';
import { findServerIdByNameElseKeepId } from './find-server.ts';
import { serverIsolationText } from './isolation.ts';
import { authText } from './server-auth.ts';
import { limitsText } from './server-limits.ts';

const server = { name: 'server', about: 'the name or the id of a server' };

const showServer: Command = {
  verb: 'servers show',
  about: 'Show a server: its address, what calls may do, its tools, and those that were left out',
  more: 'With --json: the server and its tools with their schemas.',
  operands: [server],
  options: [],
  async run(given, { client, output }) {
    const found = await client.servers.get(
      await findServerIdByNameElseKeepId(client, given.firstOperandWordOrThrow(server)),
    );
    output.writeAsJsonOrLines(found, () => serverLines(found, output.lineWidth));
  },
};

const serverLines = ({ server: shown, tools }: ServerWithTools, width: number): string[] => [
  ...fieldLines([
    ['server', `${shown.name} (${shown.id})`],
    ['domain', shown.domain],
    ['url', shown.url ?? 'described, not connected'],
    ['says it is', shown.info === null ? null : `${shown.info.name} ${shown.info.version}`],
    ['MCP', shown.protocolVersion],
    ['allows', shown.allows],
    ['effects', countsByNameText(shown.effects)],
    ['limits', limitsText(shown.limits)],
    ['state', serverIsolationText(shown)],
    ['secrets', authText(shown)],
    ['private', shown.private ? 'yes' : 'no'],
    ['survey', surveyOutcomeText(shown.survey)],
    ['description', descriptionText(shown.description)],
    ['listed', shown.listedAt],
  ]),
  '',
  ...tableLines(toolColumns, tools, width),
  ...shown.leftOut.map(({ tool, problem }) => `left out: ${makePrintableLine(tool)}, ${makePrintableLine(problem)}`),
];

/** The verb that shows one server. */
export const showServerCommands: readonly Command[] = [showServer];
