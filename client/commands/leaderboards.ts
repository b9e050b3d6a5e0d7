import { protocolKey } from '#core/protocols/protocols.ts';
import { z } from 'zod';
import { exportFormats } from '#core/evaluation/breakdown-record.ts';
import { rankingMetric } from '#core/leaderboards/metrics.ts';
import { newLeaderboard, type RankedEntry } from '#core/leaderboards/record.ts';
import { submissionState, submissionTier, type SubmissionTier } from '#core/submissions/state.ts';
import type { Command } from '../command-line/command.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import {
  numberParser,
  oneOfParser,
  optionalOption,
  requiredOption,
  parseNonEmptyText,
  textParser,
} from '../command-line/options.ts';
import { makeMountingOption } from '../command-line/mounting-option.ts';
import { countText, makePrintableLine } from '../command-line/text.ts';
import { entryLines, rankedLegendLines, rankedLines } from '../display/leaderboard-table.ts';
import { writeToFileOrOutput } from '../files/file-or-output.ts';

const leaderboard = { name: 'leaderboard', about: 'the id of a leaderboard, such as lb_...' };
const entry = { name: 'entry', about: 'the id of an entry, such as sub_...' };

const { name: nameSchema, trials: trialsSchema } = newLeaderboard.shape;
const benchmark = requiredOption(
  'benchmark',
  'ID',
  'the benchmark that its entries are measured on',
  parseNonEmptyText,
);
const name = requiredOption('name', 'NAME', 'what to call the leaderboard', textParser(nameSchema));
const trials = optionalOption(
  'trials',
  'N',
  describeWithDefault('how often each agent gets each unit', trialsSchema),
  numberParser(trialsSchema),
);
const previous = optionalOption(
  'previous',
  'ID',
  "the leaderboard of the benchmark's version before",
  parseNonEmptyText,
);
const protocol = optionalOption(
  'protocol',
  'PROTOCOL',
  `how attempts are evaluated, one of ${protocolKey.options.join(', ')}; the benchmark's without it`,
  oneOfParser(protocolKey.options),
);
const mounting = makeMountingOption('every agent');
const by = optionalOption(
  'by',
  'METRIC',
  `what ranks, as the leaderboard's protocol has it: ${rankingMetric.options.join(', ')}`,
  oneOfParser(rankingMetric.options),
);
const tier = optionalOption(
  'tier',
  'TIER',
  `only the ranking of ${submissionTier.options.join(', ')}`,
  oneOfParser(submissionTier.options),
);
const limitSchema = z.int().min(1).default(50);
const limit = optionalOption(
  'limit',
  'N',
  describeWithDefault('how many entries of each tier', limitSchema),
  numberParser(limitSchema),
);
const format = optionalOption(
  'format',
  'FORMAT',
  `one of ${exportFormats.join(', ')} (jsonl without it)`,
  oneOfParser(exportFormats),
);
const out = optionalOption(
  'out',
  'FILE',
  'where to write; the standard output where it is not given',
  parseNonEmptyText,
);
const state = optionalOption(
  'state',
  'STATE',
  `only those that are ${submissionState.options.join(', ')}`,
  oneOfParser(submissionState.options),
);

const create: Command = {
  verb: 'leaderboard create',
  about: 'Open the public leaderboard of a benchmark; there is one for a benchmark and a protocol',
  operands: [],
  options: [benchmark, protocol, name, trials, previous, mounting],
  async run(given, { client, output }) {
    const board = await client.leaderboards.create({
      benchmark: given.value(benchmark),
      protocol: given.value(protocol),
      name: given.value(name),
      trials: given.value(trials),
      previous: given.value(previous),
      mounting: given.value(mounting),
    });
    output.writeValue(board, () => [`${board.id}: ${client.url}/leaderboards/${board.id}`]);
  },
};

const list: Command = {
  verb: 'leaderboard list',
  about: 'List the leaderboards',
  operands: [],
  options: [],
  open: true,
  run: (_, { client, output }) =>
    output.writeList(
      client.leaderboards.list(),
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'name', cell: ({ name }) => name, flexible: true },
        { title: 'benchmark', cell: ({ benchmark }) => benchmark },
        { title: 'protocol', cell: ({ protocol }) => protocol },
        { title: 'created', cell: ({ createdAt }) => createdAt },
      ],
      'there are no leaderboards; open one with: leaderboard create --benchmark ID --name NAME',
    ),
};

const show: Command = {
  verb: 'leaderboard show',
  about: 'Show the entries of a leaderboard, tier by tier, the best first',
  more: 'With --json: an entry with its place in its tier a line.',
  operands: [leaderboard],
  options: [by, tier, limit],
  open: true,
  async run(given, { client, output }) {
    const id = given.requireWord(leaderboard);
    const metric = given.value(by);
    const most = given.value(limit) ?? limitSchema.parse(undefined);
    const board = await client.leaderboards.get(id);
    const only = given.value(tier);
    const found: { readonly of: SubmissionTier; readonly shown: RankedEntry[]; readonly next?: RankedEntry }[] = [];
    for (const of of submissionTier.options) {
      if (board.entries[of] === 0 || (only !== undefined && only !== of)) continue;
      const ranked = client.leaderboards.entries(id, { tier: of, metric, pageSize: Math.min(100, most + 1) });
      found.push({ of, ...(await readFirstEntriesAndNext(ranked, most)) });
    }
    if (output.isJson) {
      for (const { shown } of found) for (const each of shown) output.writeValue(each, () => []);
      return;
    }
    output.writeText(`${makePrintableLine(board.name)}, ${board.benchmark}\n\n`);
    if (found.length === 0)
      return output.writeNote('nothing is published here yet; submit something with: submit service');
    for (const { of, shown, next } of found) {
      const rows = rankedLines(shown, { protocol: board.protocol, metric, next, width: output.lineWidth });
      const rest = next === undefined ? [] : [`The first ${shown.length} of ${board.entries[of]}; --limit shows more.`];
      for (const line of [`Tier ${of}, ${countText(board.entries[of])} in all:`, ...rows, ...rest, ''])
        output.writeText(`${line}\n`);
    }
    for (const line of rankedLegendLines(board)) output.writeText(`${line}\n`);
  },
};

/** Reads the first entries, and the one after them, which may share the rank of the last. */
async function readFirstEntriesAndNext(
  ranked: AsyncIterable<RankedEntry>,
  most: number,
): Promise<{ readonly shown: RankedEntry[]; readonly next?: RankedEntry }> {
  const shown: RankedEntry[] = [];
  for await (const next of ranked) {
    if (shown.length === most) return { shown, next };
    shown.push(next);
  }
  return { shown };
}

const showEntry: Command = {
  verb: 'leaderboard entry',
  about: 'Show an entry: what its agent is, what it came to, and why it is where it is',
  operands: [leaderboard, entry],
  options: [by],
  open: true,
  async run(given, { client, output }) {
    const found = await client.leaderboards.entry(
      given.requireWord(leaderboard),
      given.requireWord(entry),
      given.value(by),
    );
    output.writeValue(found, () => entryLines(found, output.lineWidth));
  },
};

const record: Command = {
  verb: 'leaderboard record',
  about: 'Write the signed record of an entry, which "verify" checks',
  operands: [leaderboard, entry],
  options: [out],
  open: true,
  async run(given, { client, output }) {
    const [id, wanted] = [given.requireWord(leaderboard), given.requireWord(entry)];
    const signed = await client.leaderboards.record(id, wanted);
    await writeToFileOrOutput(yieldWholeText(`${JSON.stringify(signed)}\n`), given.value(out), output, {
      leaderboard: id,
      entry: wanted,
    });
  },
};

const traces: Command = {
  verb: 'leaderboard traces',
  about: 'Write the public traces that the scores of an entry were computed from, as JSON Lines',
  operands: [leaderboard, entry],
  options: [out],
  open: true,
  async run(given, { client, output }) {
    const [id, wanted] = [given.requireWord(leaderboard), given.requireWord(entry)];
    const pieces = client.leaderboards.traces(id, wanted);
    await writeToFileOrOutput(pieces, given.value(out), output, { leaderboard: id, entry: wanted });
  },
};

async function* yieldWholeText(whole: string): AsyncGenerator<string, void, undefined> {
  yield whole;
}

const signingKey: Command = {
  verb: 'leaderboard key',
  about: 'Show the public key that the service signs records with, which "verify" takes as --key',
  more: 'Note it down where others cannot change it: a record that was made up can come with a key that was made up.',
  operands: [],
  options: [],
  open: true,
  async run(_, { client, output }) {
    const found = await client.leaderboards.signingKey();
    output.writeValue(found, () => [
      makePrintableLine([found, ...found.retired].map((each) => each.publicKey).join(',')),
    ]);
  },
};

const exportEntries: Command = {
  verb: 'leaderboard export',
  about: 'Write all entries of a leaderboard, one a line or row',
  operands: [leaderboard],
  options: [format, out],
  open: true,
  async run(given, { client, output }) {
    const id = given.requireWord(leaderboard);
    const pieces = client.leaderboards.exportEntries(id, given.value(format) ?? 'jsonl');
    await writeToFileOrOutput(pieces, given.value(out), output, { leaderboard: id });
  },
};

const log: Command = {
  verb: 'leaderboard log',
  about: 'Write the log of what was published and taken off, as JSON Lines',
  operands: [leaderboard],
  options: [out],
  open: true,
  async run(given, { client, output }) {
    const id = given.requireWord(leaderboard);
    await writeToFileOrOutput(client.leaderboards.log(id), given.value(out), output, { leaderboard: id });
  },
};

const submissions: Command = {
  verb: 'leaderboard submissions',
  about: 'List what was submitted to a leaderboard of yours',
  operands: [leaderboard],
  options: [state],
  run: (given, { client, output }) =>
    output.writeList(
      client.leaderboards.submissions(given.requireWord(leaderboard), { state: given.value(state) }),
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'name', cell: ({ name }) => name, flexible: true },
        { title: 'tier', cell: ({ tier }) => tier },
        { title: 'state', cell: ({ state }) => state },
        { title: 'created', cell: ({ createdAt }) => createdAt },
      ],
      'there are no such submissions',
    ),
};

/** Verbs on leaderboards. */
export const leaderboardCommands: readonly Command[] = [
  create,
  list,
  show,
  showEntry,
  record,
  signingKey,
  traces,
  exportEntries,
  log,
  submissions,
];
