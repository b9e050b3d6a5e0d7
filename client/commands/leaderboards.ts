import { protocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { z } from 'zod';
import { exportFormats } from '#core/evaluation/breakdown-record.ts';
import { countOrDashText } from '#core/leaderboards/figure-texts.ts';
import { rankingMetric } from '#core/leaderboards/metrics.ts';
import { newLeaderboard, type RankedEntry } from '#core/leaderboards/record.ts';
import { submissionState, submissionTier, type SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import type { Command } from '../command-line/command.ts';
import { noteNextStep } from '../command-line/next-step.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import {
  makeSchemaNumberParser,
  makeOneOfParser,
  optionalOption,
  requiredOption,
  parseNonEmptyText,
  makeSchemaTextParser,
} from '../command-line/options.ts';
import { makeMountingOption } from '../command-line/mounting-option.ts';
import { wholeNumberText, makePrintableLine } from '../command-line/text.ts';
import { entryLines, rankedLegendLines, rankedLines } from '../display/leaderboard-table.ts';
import { secondsOptionReadAsMs } from './seconds-option.ts';
import { requireWritable } from '../files/atomic-file.ts';
import { writeToFileOrOutput } from '../files/file-or-output.ts';

const leaderboard = { name: 'leaderboard', about: 'the id of a leaderboard, such as lb_...' };
const entry = { name: 'entry', about: 'the id of an entry, such as sub_...' };

const {
  name: nameSchema,
  trials: trialsSchema,
  claimMs: claimMsSchema,
  judgeAccuracy: judgeAccuracySchema,
} = newLeaderboard.shape;
const benchmark = requiredOption(
  'benchmark',
  'ID',
  'the benchmark that its entries are measured on',
  parseNonEmptyText,
);
const name = requiredOption('name', 'NAME', 'what to call the leaderboard', makeSchemaTextParser(nameSchema));
const trials = optionalOption(
  'trials',
  'N',
  describeWithDefault('how often each agent gets each unit', trialsSchema),
  makeSchemaNumberParser(trialsSchema),
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
  makeOneOfParser(protocolKey.options),
);
const mounting = makeMountingOption('every agent');
const claimSeconds = secondsOptionReadAsMs(
  'claim-seconds',
  'the longest that an agent at the gateway may hold an attempt (600 without it)',
  claimMsSchema,
);
const judgeAccuracy = optionalOption(
  'judge-accuracy',
  'SHARE',
  'the least share of attempts with known verdicts that its judge has to read rightly before anything is submitted',
  makeSchemaNumberParser(judgeAccuracySchema.unwrap()),
);
const by = optionalOption(
  'by',
  'METRIC',
  `what ranks, as the leaderboard's protocol has it: ${rankingMetric.options.join(', ')}; the protocol's headline without it`,
  makeOneOfParser(rankingMetric.options),
);
const tier = optionalOption(
  'tier',
  'TIER',
  `only the ranking of ${submissionTier.options.join(', ')}`,
  makeOneOfParser(submissionTier.options),
);
const limitSchema = z.int().min(1).default(50);
const limit = optionalOption(
  'limit',
  'N',
  describeWithDefault('how many entries of each tier', limitSchema),
  makeSchemaNumberParser(limitSchema),
);
const format = optionalOption(
  'format',
  'FORMAT',
  `one of ${exportFormats.join(', ')} (jsonl without it)`,
  makeOneOfParser(exportFormats),
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
  makeOneOfParser(submissionState.options),
);

const create: Command = {
  verb: 'leaderboard create',
  about: 'Open the public leaderboard of a benchmark; there is one for a benchmark and a protocol',
  operands: [],
  options: [benchmark, protocol, name, trials, previous, mounting, claimSeconds, judgeAccuracy],
  async run(given, { client, output }) {
    const board = await client.leaderboards.create({
      benchmark: given.parseOptionValue(benchmark),
      protocol: given.parseOptionValue(protocol),
      name: given.parseOptionValue(name),
      trials: given.parseOptionValue(trials),
      previous: given.parseOptionValue(previous),
      mounting: given.parseOptionValue(mounting),
      claimMs: given.parseOptionValue(claimSeconds),
      judgeAccuracy: given.parseOptionValue(judgeAccuracy),
    });
    output.writeAsJsonOrLines(board, () => [`${board.id}: ${client.url}/leaderboards/${board.id}`]);
    noteNextStep(
      output,
      `submit service --leaderboard ${board.id} --name NAME --model MODEL`,
      `submit gateway --leaderboard ${board.id} --name NAME --command "COMMAND"`,
    );
  },
};

const list: Command = {
  verb: 'leaderboard list',
  about: 'List the leaderboards',
  operands: [],
  options: [],
  open: true,
  run: (_, { client, output }) =>
    output.writeRowsAsJsonOrTable(
      client.leaderboards.list(),
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'name', cell: ({ name }) => name, flexible: true },
        { title: 'benchmark', cell: ({ benchmark }) => benchmark },
        { title: 'protocol', cell: ({ protocol }) => protocol },
        { title: 'entries', cell: ({ entries }) => countOrDashText(entries) },
        { title: 'submissions', cell: ({ submissions }) => countOrDashText(submissions) },
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
    const id = given.firstOperandWordOrThrow(leaderboard);
    const metric = given.parseOptionValue(by);
    const most = given.parseOptionValue(limit) ?? limitSchema.parse(undefined);
    const board = await client.leaderboards.get(id);
    const only = given.parseOptionValue(tier);
    const found: { readonly of: SubmissionTier; readonly shown: RankedEntry[]; readonly next?: RankedEntry }[] = [];
    for (const of of submissionTier.options) {
      if (board.entries[of] === 0 || (only !== undefined && only !== of)) continue;
      const ranked = client.leaderboards.entries(id, { tier: of, metric, pageSize: Math.min(100, most + 1) });
      found.push({ of, ...(await takeFirstEntriesAndOneAfter(ranked, most)) });
    }
    if (output.isJson) {
      for (const { shown } of found) for (const each of shown) output.writeAsJsonOrLines(each, () => []);
      return;
    }
    output.writeText(`${makePrintableLine(board.name)}, ${board.benchmark}\n\n`);
    if (found.length === 0)
      return output.writeNote('nothing is published here yet; submit something with: submit service');
    for (const { of, shown, next } of found) {
      const rows = rankedLines(shown, { protocol: board.protocol, metric, next, width: output.lineWidth });
      const rest = next === undefined ? [] : [`The first ${shown.length} of ${board.entries[of]}; --limit shows more.`];
      for (const line of [`Tier ${of}, ${wholeNumberText(board.entries[of])} in all:`, ...rows, ...rest, ''])
        output.writeText(`${line}\n`);
    }
    for (const line of rankedLegendLines(board)) output.writeText(`${line}\n`);
    output.writeText(`${client.url}/leaderboards/${board.id}\n`);
  },
};

/** Reads the first entries, and the one after them, which may share the rank of the last. */
async function takeFirstEntriesAndOneAfter(
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
      given.firstOperandWordOrThrow(leaderboard),
      given.firstOperandWordOrThrow(entry),
      given.parseOptionValue(by),
    );
    output.writeAsJsonOrLines(found, () => entryLines(found, output.lineWidth));
  },
};

const record: Command = {
  verb: 'leaderboard record',
  about: 'Write the signed record of an entry, which "verify" checks',
  operands: [leaderboard, entry],
  options: [out],
  open: true,
  async run(given, { client, output }) {
    const [id, wanted] = [given.firstOperandWordOrThrow(leaderboard), given.firstOperandWordOrThrow(entry)];
    const to = given.parseOptionValue(out);
    if (to !== undefined) await requireWritable(to);
    const signed = await client.leaderboards.record(id, wanted);
    await writeToFileOrOutput([`${JSON.stringify(signed)}\n`], to, output, {
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
    const [id, wanted] = [given.firstOperandWordOrThrow(leaderboard), given.firstOperandWordOrThrow(entry)];
    const pieces = client.leaderboards.traces(id, wanted);
    await writeToFileOrOutput(pieces, given.parseOptionValue(out), output, { leaderboard: id, entry: wanted });
  },
};

const signingKey: Command = {
  verb: 'leaderboard key',
  about: 'Show the public key that the service signs records with, which "verify" takes as --key',
  more: 'Note it down where others cannot change it: a record that was made up can come with a key that was made up.',
  operands: [],
  options: [],
  open: true,
  async run(_, { client, output }) {
    const found = await client.leaderboards.signingKey();
    output.writeAsJsonOrLines(found, () => [
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
    const id = given.firstOperandWordOrThrow(leaderboard);
    const as = given.parseOptionValue(format) ?? 'jsonl';
    const pieces = client.leaderboards.exportEntries(id, as);
    const form = as === 'csv' ? 'other' : 'json-lines';
    await writeToFileOrOutput(pieces, given.parseOptionValue(out), output, { leaderboard: id }, form);
  },
};

const log: Command = {
  verb: 'leaderboard log',
  about: 'Write the log of what was published and taken off, as JSON Lines',
  operands: [leaderboard],
  options: [out],
  open: true,
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(leaderboard);
    await writeToFileOrOutput(client.leaderboards.log(id), given.parseOptionValue(out), output, { leaderboard: id });
  },
};

const submissions: Command = {
  verb: 'leaderboard submissions',
  about: 'List what was submitted to a leaderboard of yours',
  operands: [leaderboard],
  options: [state],
  run: (given, { client, output }) =>
    output.writeRowsAsJsonOrTable(
      client.leaderboards.submissions(given.firstOperandWordOrThrow(leaderboard), {
        state: given.parseOptionValue(state),
      }),
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
