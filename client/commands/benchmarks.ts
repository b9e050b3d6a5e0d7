import { z } from 'zod';
import type { BenchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { exportToFile } from '../files/benchmark-file.ts';
import type { Command } from '../command-line/command.ts';
import { numberOf, oneOf, option, text } from '../command-line/options.ts';
import { counted, plain } from '../command-line/text.ts';
import { readable } from '../files/readable-file.ts';

const explorations = {
  name: 'exploration',
  about: 'the ids of explorations over one catalog, ended or paused',
  many: true,
} as const;
const benchmark = { name: 'benchmark', about: 'the id of a benchmark, such as bm_...' };
const file = { name: 'file', about: 'a file that "benchmarks export" made' };

const name = option('name', 'NAME', 'what to call the benchmark', text);
const seed = option('seed', 'N', 'decides which units are private', numberOf(z.int().min(0)));
const privateShare = option(
  'private-share',
  'SHARE',
  'the share of the units that stays private, 0 to below 1',
  numberOf(z.number().min(0).lt(1)),
);
const sample = option(
  'sample',
  'N',
  'draw so many units by the seed; all without it',
  numberOf(z.int().min(1).max(10_000)),
);
const out = option('out', 'FILE', 'where to write; the standard output where it is not given', text);
const splits = ['all', 'public'] as const;
const split = option('split', 'SPLIT', 'all, or public: without the private units', oneOf(splits));

const summary = (record: BenchmarkRecord): string[] => [
  `${record.id}: ${counted(record.units, 'unit')} (${record.publicUnits} public, ${record.privateUnits} private), ${counted(record.tools, 'tool')}${record.offline ? ', made with offline models' : ''}`,
];

const freeze: Command = {
  verb: 'benchmarks freeze',
  about: 'Freeze the accepted units of explorations into a benchmark',
  operands: [explorations],
  options: [name, seed, privateShare, sample],
  async run(given, { client, output }) {
    const record = await client.benchmarks.freeze({
      explorations: given.words(explorations),
      name: given.value(name),
      seed: given.value(seed),
      privateShare: given.value(privateShare),
      sample: given.value(sample),
    });
    output.value(record, () => summary(record));
  },
};

const exportBenchmark: Command = {
  verb: 'benchmarks export',
  open: true,
  about: 'Write a benchmark as JSON Lines',
  operands: [benchmark],
  options: [out, split],
  async run(given, { client, output }) {
    const id = given.word(benchmark);
    const to = given.value(out);
    const options = { split: given.value(split) };
    if (to === undefined) {
      for await (const { text } of client.benchmarks.exportLines(id, options)) output.text(`${text}\n`);
      return;
    }
    const { lines } = await exportToFile(client, id, to, options);
    output.value({ benchmark: id, file: to, lines }, () => [`${to}: ${counted(lines, 'line')}`]);
  },
};

const importBenchmark: Command = {
  verb: 'benchmarks import',
  about: 'Import a benchmark from a file; the same content gives the same id',
  operands: [file],
  options: [],
  async run(given, { client, output }) {
    const from = given.word(file);
    const blob = await readable(from);
    const record = await client.benchmarks.importFile(blob);
    output.value(record, () => summary(record));
  },
};

const list: Command = {
  verb: 'benchmarks list',
  about: 'List the benchmarks',
  operands: [],
  options: [],
  run: (_, { client, output }) =>
    output.list(
      client.benchmarks.list(),
      [
        { title: 'id', of: ({ id }) => id },
        { title: 'name', of: ({ name }) => plain(name), flexible: true },
        { title: 'public', of: ({ publicUnits }) => publicUnits },
        { title: 'private', of: ({ privateUnits }) => privateUnits },
        { title: 'tools', of: ({ tools }) => tools },
        { title: 'models', of: ({ offline }) => (offline ? 'offline' : '') },
        { title: 'created', of: ({ createdAt }) => createdAt },
      ],
      'there are no benchmarks; make one with: benchmarks freeze <exploration>',
    ),
};

/** Verbs on benchmarks. */
export const benchmarkCommands: readonly Command[] = [freeze, exportBenchmark, importBenchmark, list];
