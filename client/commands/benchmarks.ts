import { z } from 'zod';
import { unprovenUnits, type BenchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { freezeDefaults } from '#core/benchmarks/freeze-defaults.ts';
import { defaultProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { exportBenchmarkToFile } from '../files/benchmark-file.ts';
import type { Command } from '../command-line/command.ts';
import { noteNextStep } from '../command-line/next-step.ts';
import {
  flagOption,
  makeSchemaNumberParser,
  makeOneOfParser,
  optionalOption,
  parseNonEmptyText,
} from '../command-line/options.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { fieldLines } from '../command-line/field-lines.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { readSampledBenchmark } from '../files/sampled-benchmark.ts';
import { openFileAsBlobOrThrow } from '../files/readable-file.ts';

const explorations = {
  name: 'exploration',
  about: 'the ids of explorations over one catalog, ended or paused',
  many: true,
} as const;
const benchmark = { name: 'benchmark', about: 'the id of a benchmark, such as bm_...' };
const file = { name: 'file', about: 'a file that "benchmarks export" made' };

const name = optionalOption('name', 'NAME', 'what to call the benchmark', parseNonEmptyText);
const seed = optionalOption(
  'seed',
  'N',
  `decides which units are private (${freezeDefaults.seed} without it)`,
  makeSchemaNumberParser(z.int().min(0)),
);
const privateShare = optionalOption(
  'private-share',
  'SHARE',
  `the share of the units that stays private, 0 to below 1 (${freezeDefaults.privateShare} without it)`,
  makeSchemaNumberParser(z.number().min(0).lt(1)),
);
const sample = optionalOption(
  'sample',
  'N',
  'draw so many units by the seed; all without it',
  makeSchemaNumberParser(z.int().min(1).max(10_000)),
);
const importSample = optionalOption(
  'sample',
  'N',
  'only so many of its units, as a benchmark of their own; all without it',
  makeSchemaNumberParser(z.int().min(1).max(10_000)),
);
const defaultSampleSeed = 1;
const sampleSeed = optionalOption(
  'sample-seed',
  'N',
  `decides which units --sample draws (${defaultSampleSeed} without it)`,
  makeSchemaNumberParser(z.int().min(0)),
);
const unproven = optionalOption(
  'unproven',
  'WHAT',
  'leave-out, or keep: also units of whose chain some tool never had a success',
  makeOneOfParser(unprovenUnits.options),
);
const noFloor = flagOption('no-floor', 'do not measure what agents that know nothing score on it');
const out = optionalOption(
  'out',
  'FILE',
  'where to write; the standard output where it is not given',
  parseNonEmptyText,
);
const splits = ['all', 'public'] as const;
const split = optionalOption('split', 'SPLIT', 'all, or public: without the private units', makeOneOfParser(splits));

const benchmarkSummaryLines = (record: BenchmarkRecord): string[] => [
  `${record.id}: ${countWithNoun(record.units, 'unit')} (${record.publicUnits} public, ${record.privateUnits} private), ${countWithNoun(record.tools, 'tool')}${record.offline ? ', made with offline models' : ''}`,
  unprovenUnitsText(record),
  nearDuplicatesText(record),
];

/** States how many units were left out because another one asks for the same, and how they were compared. */
function nearDuplicatesText({ nearDuplicatesLeftOut: left, comparedByWords = 0 }: BenchmarkRecord): string {
  if (left === undefined) return 'near-duplicates: unknown, because an earlier release froze it';
  const byWords = comparedByWords === 0 ? '' : `; ${countWithNoun(comparedByWords, 'unit')} compared by words alone`;
  return `near-duplicates: ${left} left out${byWords}`;
}

/** States of how many units nobody has shown that they can be carried out. */
function unprovenUnitsText({ unproven: kept, unprovenLeftOut: left = 0 }: BenchmarkRecord): string {
  if (kept === undefined) return 'unproven units: unknown, because an earlier release froze it';
  return `unproven units: ${kept} kept, ${left} left out`;
}

const freeze: Command = {
  verb: 'benchmarks freeze',
  about: 'Freeze the accepted units of explorations into a benchmark',
  more: [
    'A benchmark never changes, and its id is a hash of its content, so that figures of agents stay comparable.',
    'Private units are not shown to anybody and cannot have been learnt: leaderboards rank by them.',
  ].join('\n'),
  operands: [explorations],
  options: [name, seed, privateShare, sample, unproven, noFloor],
  async run(given, { client, output }) {
    const record = await client.benchmarks.freeze({
      explorations: given.operandWords(explorations),
      name: given.parseOptionValue(name),
      seed: given.parseOptionValue(seed),
      privateShare: given.parseOptionValue(privateShare),
      sample: given.parseOptionValue(sample),
      unproven: given.parseOptionValue(unproven),
      ...(given.parseOptionValue(noFloor) ? { floor: false } : {}),
    });
    output.writeAsJsonOrLines(record, () => benchmarkSummaryLines(record));
    noteNextStep(output, `evaluate --benchmark ${record.id} --agent NAME=MODEL`);
  },
};

const exportBenchmark: Command = {
  verb: 'benchmarks export',
  open: true,
  about: 'Write a benchmark as JSON Lines',
  operands: [benchmark],
  options: [out, split],
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(benchmark);
    const to = given.parseOptionValue(out);
    const options = { split: given.parseOptionValue(split) };
    if (to === undefined) {
      for await (const { text } of client.benchmarks.exportLines(id, options)) output.writeText(`${text}\n`);
      return;
    }
    const { lines } = await exportBenchmarkToFile(client, id, to, options);
    output.writeAsJsonOrLines({ benchmark: id, file: to, lines }, () => [`${to}: ${countWithNoun(lines, 'line')}`]);
  },
};

const importBenchmark: Command = {
  verb: 'benchmarks import',
  about: 'Import a benchmark from a file; the same content gives the same id',
  operands: [file],
  options: [noFloor, importSample, sampleSeed],
  async run(given, { client, output }) {
    const from = given.firstOperandWordOrThrow(file);
    const [units, drawnBy] = [given.parseOptionValue(importSample), given.parseOptionValue(sampleSeed)];
    if (units === undefined && drawnBy !== undefined)
      throw new UsageError('--sample-seed draws a sample: give --sample too');
    const blob =
      units === undefined
        ? await openFileAsBlobOrThrow(from)
        : await readSampledBenchmark(from, { units, seed: drawnBy ?? defaultSampleSeed });
    const record = await client.benchmarks.importFile(blob, given.parseOptionValue(noFloor) ? { floor: false } : {});
    output.writeAsJsonOrLines(record, () => benchmarkSummaryLines(record));
  },
};

const list: Command = {
  verb: 'benchmarks list',
  about: 'List the benchmarks, the newest first',
  operands: [],
  options: [],
  async run(_, { client, output }) {
    const all = await Array.fromAsync(client.benchmarks.list());
    await output.writeRowsAsJsonOrTable(
      all.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'name', cell: ({ name }) => makePrintableLine(name), flexible: true },
        { title: 'public', cell: ({ publicUnits }) => publicUnits },
        { title: 'private', cell: ({ privateUnits }) => privateUnits },
        { title: 'unproven', cell: (record) => record.unproven ?? 'unknown' },
        { title: 'tools', cell: ({ tools }) => tools },
        { title: 'models', cell: ({ offline }) => (offline ? 'offline' : '') },
        { title: 'created', cell: ({ createdAt }) => createdAt },
      ],
      'there are no benchmarks; make one with: benchmarks freeze <exploration>',
    );
  },
};

const show: Command = {
  verb: 'benchmarks show',
  about: 'Show a benchmark: its units, its tools, what was left out, its floor',
  operands: [benchmark],
  options: [],
  async run(given, { client, output }) {
    const record = await client.benchmarks.get(given.firstOperandWordOrThrow(benchmark));
    output.writeAsJsonOrLines(record, () => [
      ...fieldLines([
        ['name', record.name === '' ? null : record.name],
        ['protocol', record.protocol ?? defaultProtocol],
        ['catalog', record.catalog],
        ['explorations', record.explorations.length === 0 ? null : record.explorations.join(', ')],
        ['seed', String(record.seed)],
        ['created', record.createdAt],
      ]),
      ...benchmarkSummaryLines(record),
    ]);
  },
};

const units: Command = {
  verb: 'benchmarks units',
  about: 'List the units of a benchmark with their requests and chains',
  more: 'The private units need a key with the scope "admin"; other keys see the public ones with --split public.',
  operands: [benchmark],
  options: [split],
  run: (given, { client, output }) =>
    output.writeRowsAsJsonOrTable(
      client.benchmarks.units(given.firstOperandWordOrThrow(benchmark), {
        split: given.parseOptionValue(split) ?? 'all',
      }),
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'split', cell: (unit) => unit.split },
        { title: 'chain', cell: ({ chain }) => chain.join(' > '), flexible: true },
        { title: 'request', cell: (unit) => (unit.kind === 'task' ? unit.request : unit.source), flexible: true },
      ],
      'there are no such units',
    ),
};

/** Verbs on benchmarks. */
export const benchmarkCommands: readonly Command[] = [freeze, exportBenchmark, importBenchmark, list, show, units];
