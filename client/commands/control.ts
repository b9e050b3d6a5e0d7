import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { Client } from '../client.ts';
import type { Command } from '../command-line/command.ts';

const exploration = { name: 'exploration', about: 'the id of an exploration, such as exp_...' };

const control = (
  verb: string,
  about: string,
  act: (client: Client, id: string) => Promise<ExplorationRecord>,
): Command => ({
  verb,
  about,
  operands: [exploration],
  options: [],
  async run(given, { client, output }) {
    const run = await act(client, given.word(exploration));
    output.value(run, () => [`${run.id} is ${run.status}`]);
  },
});

/** Verbs that steer an exploration. */
export const controlCommands: readonly Command[] = [
  control('pause', 'Pause an exploration', (client, id) => client.explorations.pause(id)),
  control('resume', 'Resume a paused exploration', (client, id) => client.explorations.resume(id)),
  control('cancel', 'End an exploration for good; what it has committed stays', (client, id) =>
    client.explorations.cancel(id),
  ),
];
