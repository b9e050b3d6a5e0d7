import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { Command } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/context.ts';
import { plain } from '../command-line/text.ts';
import { CommandError } from '../command-line/usage-error.ts';
import { followRun } from '../follow.ts';

const exploration = { name: 'exploration', about: 'the id of an exploration, such as exp_...' };

/** Shows a run until it is over. Throws where it did not complete. */
export async function watchRun(run: ExplorationRecord, { client, output }: CommandContext): Promise<void> {
  const ended = output.isJson ? await printEvents() : await followRun(client, run, output.progress);
  if (ended.status !== 'completed')
    throw new CommandError(`exploration ${run.id} is ${ended.status}: ${plain(ended.reason ?? '')}`);

  async function printEvents(): Promise<ExplorationRecord> {
    const onLost = (why: string): void => output.note(`${plain(why)}; trying again until it answers`);
    for await (const event of client.explorations.events(run.id, { onLost })) output.value(event, () => []);
    const last = await client.explorations.get(run.id);
    output.value(last, () => []);
    return last;
  }
}

const watch: Command = {
  verb: 'watch',
  about: 'Show how an exploration goes on, until it is over',
  more: [
    'Ctrl-C ends the watching, not the run.',
    'With --json: each event of the run, then the run as it ended. Exit code 0 only where the run completed.',
  ].join('\n'),
  operands: [exploration],
  options: [],
  async run(given, context) {
    await watchRun(await context.client.explorations.get(given.word(exploration)), context);
  },
};

/** The verb that follows an exploration. */
export const watchCommands: readonly Command[] = [watch];
