import { shareDays } from '#core/access/share/shared-run.ts';
import type { Command } from '../command-line/command.ts';
import { makeSchemaNumberParser, optionalOption } from '../command-line/options.ts';

const run = { name: 'run', about: 'the id of an exploration or evaluation, such as evl_...' };
const days = optionalOption(
  'days',
  'N',
  'for how many days, 1 to 90 (7 without it)',
  makeSchemaNumberParser(shareDays),
);

const share: Command = {
  verb: 'share',
  about: 'Make a link that shows one run, read-only, to everybody who has it',
  more: 'It shows the run with its units, cases, tools and results, and ends by its time, or with `sextant unshare`. A run over a private server is not shared.',
  operands: [run],
  options: [days],
  async run(given, { client, output }) {
    const chosen = given.parseOptionValue(days);
    const made = await client.shares.create({
      run: given.firstOperandWordOrThrow(run),
      ...(chosen === undefined ? {} : { days: chosen }),
    });
    output.writeAsJsonOrLines(made, () => [made.url]);
    output.writeNote(`it ends at ${made.endsAt}, or before with: sextant unshare ${made.run}`);
  },
};

const unshare: Command = {
  verb: 'unshare',
  about: 'End all links to a run that were made so far',
  operands: [run],
  options: [],
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(run);
    await client.shares.revoke(id);
    output.writeAsJsonOrLines({ run: id }, () => [`no link that was made before shows ${id}`]);
  },
};

/** The verbs that share a run. */
export const shareCommands: readonly Command[] = [share, unshare];
