import type { RecordingRecord } from '#core/evaluation/recording.ts';
import type { Command } from '../command-line/command.ts';
import { option, text } from '../command-line/options.ts';
import { counted } from '../command-line/text.ts';
import { readable } from '../files/readable-file.ts';
import { writeWhole } from '../files/whole-file.ts';

const recording = { name: 'recording', about: 'the id of a recording, such as rec_...' };
const file = { name: 'file', about: 'a file that "recordings export" made' };
const out = option('out', 'FILE', 'where to write; the standard output where it is not given', text);

const list: Command = {
  verb: 'recordings list',
  about: 'List the recordings',
  operands: [],
  options: [],
  run: (_, { client, output }) =>
    output.list(
      client.recordings.list(),
      [
        { title: 'id', of: ({ id }) => id },
        { title: 'created', of: ({ createdAt }) => createdAt },
      ],
      'there are no recordings; make one with: evaluate --record',
    ),
};

const exportRecording: Command = {
  verb: 'recordings export',
  about: 'Write a recording as JSON Lines',
  operands: [recording],
  options: [out],
  async run(given, { client, output }) {
    const id = given.word(recording);
    const to = given.value(out);
    let lines = 0;
    const pieces = async function* () {
      for await (const line of client.recordings.exportLines(id)) {
        lines += 1;
        yield `${line}\n`;
      }
    };
    if (to === undefined) {
      for await (const piece of pieces()) output.text(piece);
      return;
    }
    await writeWhole(to, pieces());
    output.value({ recording: id, file: to, lines }, () => [`${to}: ${counted(lines, 'line')}`]);
  },
};

const importRecording: Command = {
  verb: 'recordings import',
  about: 'Import a recording from a file',
  operands: [file],
  options: [],
  async run(given, { client, output }) {
    const record = await client.recordings.importFile(await readable(given.word(file)));
    output.value(record, () => summary(record));
  },
};

const summary = ({ id, calls, attempts, benchmark }: RecordingRecord): string[] => [
  `${id}: ${counted(calls, 'call')} in ${counted(attempts, 'attempt')} on ${benchmark}`,
];

/** Verbs on recordings. */
export const recordingCommands: readonly Command[] = [list, exportRecording, importRecording];
