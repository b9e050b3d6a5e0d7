import type { RecordingRecord } from '#core/evaluation/recording.ts';
import type { Command } from '../command-line/command.ts';
import { optionalOption, parseNonEmptyText } from '../command-line/options.ts';
import { countWithNoun } from '../command-line/text.ts';
import { readRecordOfEachItem } from '../http/read-each.ts';
import { openFileAsBlobOrThrow } from '../files/readable-file.ts';
import { writeFileAtomically } from '../files/atomic-file.ts';

const recording = { name: 'recording', about: 'the id of a recording, such as rec_...' };
const file = { name: 'file', about: 'a file that "recordings export" made' };
const out = optionalOption(
  'out',
  'FILE',
  'where to write; the standard output where it is not given',
  parseNonEmptyText,
);

const list: Command = {
  verb: 'recordings list',
  about: 'List the recordings',
  operands: [],
  options: [],
  run: (_, { client, output }) =>
    output.writeRowsAsJsonOrTable(
      readRecordOfEachItem(client.recordings.list(), ({ id }) => client.recordings.get(id)),
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'benchmark', cell: ({ benchmark }) => benchmark },
        { title: 'attempts', cell: ({ attempts }) => attempts },
        { title: 'calls', cell: ({ calls }) => calls },
        { title: 'private', cell: (each) => (each.private ? 'yes' : 'no') },
        { title: 'created', cell: ({ createdAt }) => createdAt },
      ],
      'there are no recordings; make one with: evaluate --record',
    ),
};

const show: Command = {
  verb: 'recordings show',
  about: 'Show a recording: its benchmark, and how many attempts and calls it holds',
  operands: [recording],
  options: [],
  async run(given, { client, output }) {
    const record = await client.recordings.get(given.firstOperandWordOrThrow(recording));
    output.writeAsJsonOrLines(record, () => recordingSummaryLines(record));
  },
};

const exportRecording: Command = {
  verb: 'recordings export',
  about: 'Write a recording as JSON Lines',
  operands: [recording],
  options: [out],
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(recording);
    const to = given.parseOptionValue(out);
    let lines = 0;
    const pieces = async function* () {
      for await (const line of client.recordings.exportLines(id)) {
        lines += 1;
        yield `${line}\n`;
      }
    };
    if (to === undefined) {
      for await (const piece of pieces()) output.writeText(piece);
      return;
    }
    await writeFileAtomically(to, pieces());
    output.writeAsJsonOrLines({ recording: id, file: to, lines }, () => [`${to}: ${countWithNoun(lines, 'line')}`]);
  },
};

const importRecording: Command = {
  verb: 'recordings import',
  about: 'Import a recording from a file',
  operands: [file],
  options: [],
  async run(given, { client, output }) {
    const record = await client.recordings.importFile(await openFileAsBlobOrThrow(given.firstOperandWordOrThrow(file)));
    output.writeAsJsonOrLines(record, () => recordingSummaryLines(record));
  },
};

const recordingSummaryLines = ({ id, calls, attempts, benchmark }: RecordingRecord): string[] => [
  `${id}: ${countWithNoun(calls, 'call')} in ${countWithNoun(attempts, 'attempt')} on ${benchmark}`,
];

/** Verbs on recordings. */
export const recordingCommands: readonly Command[] = [list, show, exportRecording, importRecording];
