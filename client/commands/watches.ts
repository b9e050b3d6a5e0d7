import { z } from 'zod';
import type { Incident } from '#core/reports/watch/incident.ts';
import type { WatchRecord } from '#core/reports/watch/record.ts';
import { watchVerdict } from '#core/reports/watch/show-watch.ts';
import { UsageError } from '../../engine/usage-error.ts';
import type { Command } from '../command-line/command.ts';
import type { Client } from '../client.ts';
import { noteNextStep } from '../command-line/next-step.ts';
import { flagOption, makeSchemaNumberParser, optionalOption, parseNonEmptyText } from '../command-line/options.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { readLock } from '../lock/find-drift.ts';
import { findServerIdByNameElseKeepId } from './find-server.ts';

const server = { name: 'server', about: 'the id of a registered server, or its name' };
const id = { name: 'watch', about: 'the id of a watch, such as wch_...' };
const number = { name: 'incident', about: 'the number of an incident' };
const every = optionalOption(
  'every',
  'HOURS',
  'from one visit to the next, 1 to 168 (24 without it)',
  makeSchemaNumberParser(z.number().min(1).max(168)),
);
const hold = flagOption('hold', 'changed definitions are an incident until somebody accepts them');
const shown = flagOption('public', 'the page, the badge and the feed need no key');
const webhook = optionalOption('webhook', 'URL', 'where messages go, signed', parseNonEmptyText);
const lock = optionalOption('lock', 'FILE', 'repeat the calls of this lock file', parseNonEmptyText);
const agents = optionalOption(
  'agents',
  'EVALUATION',
  'repeat this evaluation each week, and tell when its agents succeed less often',
  parseNonEmptyText,
);

const add: Command = {
  verb: 'watch add',
  about: 'Watch a server: be told when what it offers, or how it answers, has changed',
  more: 'Each visit lists the tools and repeats calls of those that only read. What is usual is learnt for seven visits; then what has changed for good is told, once.',
  operands: [server],
  options: [every, hold, shown, webhook, lock, agents],
  async run(given, { client, output }) {
    const found = await findServerIdByNameElseKeepId(client, given.firstOperandWordOrThrow(server));
    const [hours, url] = [given.parseOptionValue(every), given.parseOptionValue(webhook)];
    const calls = await readLockedCalls(client, found, given.parseOptionValue(lock));
    const evaluation = given.parseOptionValue(agents);
    const made = await client.watches.create({
      server: found,
      ...(hours === undefined ? {} : { everyHours: hours }),
      hold: given.has(hold),
      public: given.has(shown),
      ...(url === undefined ? {} : { webhook: url }),
      ...(calls === null ? {} : { calls }),
      ...(evaluation === undefined ? {} : { agents: { evaluation } }),
    });
    const { watch, secret } = made;
    output.writeAsJsonOrLines(made, () => [
      `${watch.id}: visits ${watch.server.name} every ${watch.everyHours} hours and repeats ${countWithNoun(watch.calls, 'call')}`,
      ...(secret === null ? [] : [`messages are signed with ${secret}, which is shown once`]),
      ...(watch.public ? [`${client.url}/watches/${watch.id}`, `${client.url}/watches/${watch.id}/badge.svg`] : []),
    ]);
    if (watch.calls === 0)
      output.writeNote(
        'no tool says that it only reads, so nothing is called and only the definitions are watched; "servers add ... --effect TOOL=reads" says it for a tool',
      );
    noteNextStep(output, `watch visit ${watch.id}`, ...(secret === null ? [] : [`watch test ${watch.id}`]));
  },
};

async function readLockedCalls(client: Client, of: string, file: string | undefined) {
  const locked = await readLock(file);
  if (locked === null) return null;
  const { server: record } = await client.servers.get(of);
  const own = locked.servers.length === 1 ? locked.servers[0] : locked.servers.find(({ name }) => name === record.name);
  if (own === undefined) throw new UsageError(`${file ?? ''} has no server ${record.name}`);
  return own.calls.map(({ tool, arguments: args }) => ({ tool, arguments: args }));
}

const list: Command = {
  verb: 'watch list',
  about: 'List the watches: how each server stands, when it was visited last, and what lasts',
  operands: [],
  options: [],
  run: (_, { client, output }) =>
    output.writeRowsAsJsonOrTable(
      client.watches.list(),
      [
        { title: 'id', cell: (watch) => watch.id },
        { title: 'server', cell: (watch) => watch.server.name },
        { title: 'verdict', cell: watchVerdict },
        { title: 'visits', cell: ({ visits }) => String(visits) },
        { title: 'what lasts', cell: ({ open, problem }) => open[0]?.what ?? problem ?? '', flexible: true },
      ],
      'there are no watches; make one with: watch add <server>',
    ),
};

const incidentLines = ({ number: count, what, since, overAt, end, changes, call }: Incident): string[] => [
  `${count}  ${what}; since ${since}${overAt === null ? ', and lasts' : end === 'told' ? '' : `, over since ${overAt}`}`,
  ...changes.map((change) => `     ${change.class}: ${change.tool === null ? '' : `${change.tool}: `}${change.what}`),
  ...(call === null
    ? []
    : [
        `     ${call.tool} ${JSON.stringify(call.arguments)}`,
        ...(call.before === null ? [] : [`     ${call.before.at}  ${call.before.text}`]),
        ...(call.now === null ? [] : [`     ${call.now.at}  ${call.now.text}`]),
      ]),
];

const watchLines = (watch: WatchRecord): string[] => [
  `${watch.server.name}: ${watchVerdict(watch)}`,
  `${countWithNoun(watch.visits, 'visit')}, ${countWithNoun(watch.calls, 'call')} each; next ${watch.nextVisitAt ?? 'never: it is paused'}`,
  ...(watch.problem === null ? [] : [`the last visit did not reach it: ${watch.problem}`]),
  ...(watch.agents === null
    ? []
    : [
        `agents of ${watch.agents.evaluation} every ${watch.agents.everyDays} days, ${watch.agents.counted} times so far${watch.agents.problem === null ? '' : `; the last time did not count: ${watch.agents.problem}`}`,
      ]),
  ...(watch.undelivered === null ? [] : [`the last message was not taken: ${watch.undelivered}`]),
];

const show: Command = {
  verb: 'watch show',
  about: 'Show how a watched server stands, and its incidents with the calls that show them',
  operands: [id],
  options: [],
  async run(given, { client, output }) {
    const read = await client.watches.get(given.firstOperandWordOrThrow(id));
    output.writeAsJsonOrLines(read, () =>
      [...watchLines(read.watch), ...read.incidents.flatMap(incidentLines)].map(makePrintableLine),
    );
    const [lasting] = read.watch.open;
    if (lasting !== undefined && lasting.kind !== 'unreached')
      noteNextStep(output, `watch accept ${read.watch.id} ${lasting.number}`);
  },
};

/** A verb that moves one watch and shows how it stands then. */
const moving = (
  verb: string,
  about: string,
  move: (watches: Client['watches'], id: string) => Promise<WatchRecord>,
): Command => ({
  verb: `watch ${verb}`,
  about,
  operands: [id],
  options: [],
  async run(given, { client, output }) {
    const watch = await move(client.watches, given.firstOperandWordOrThrow(id));
    output.writeAsJsonOrLines(watch, () =>
      [...watchLines(watch), ...watch.open.flatMap(incidentLines)].map(makePrintableLine),
    );
  },
});

const accept: Command = {
  verb: 'watch accept',
  about: 'Take the server as it is now: end an incident, and learn again what is usual',
  operands: [id, number],
  options: [],
  async run(given, { client, output }) {
    const count = makeSchemaNumberParser(z.int().min(1))(given.firstOperandWordOrThrow(number));
    const watch = await client.watches.accept(given.firstOperandWordOrThrow(id), count);
    output.writeAsJsonOrLines(watch, () => watchLines(watch).map(makePrintableLine));
  },
};

const remove: Command = {
  verb: 'watch remove',
  about: 'End a watch and delete what it knows',
  operands: [id],
  options: [],
  async run(given, { client, output }) {
    const watch = given.firstOperandWordOrThrow(id);
    await client.watches.remove(watch);
    output.writeAsJsonOrLines({ removed: watch }, () => [`${watch} is removed`]);
  },
};

/** The verbs on watches of servers. */
export const watchesCommands: readonly Command[] = [
  add,
  list,
  show,
  moving('visit', 'Visit the server of a watch now', (watches, of) => watches.visit(of)),
  accept,
  moving('test', 'Send a message to the webhook that says only that messages arrive', (watches, of) =>
    watches.test(of),
  ),
  moving('pause', 'Make no visits until the watch is resumed', (watches, of) => watches.pause(of)),
  moving('resume', 'Make visits again', (watches, of) => watches.resume(of)),
  remove,
];
