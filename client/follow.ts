import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { Client } from './client.ts';
import type { Sink } from './command-line/output.ts';
import { plain } from './command-line/text.ts';
import { progressDisplay } from './progress-display.ts';

/** Shows a run until it is over, and returns it as it ended. */
export async function followRun(client: Client, run: ExplorationRecord, sink: Sink): Promise<ExplorationRecord> {
  const display = progressDisplay(run, sink);
  try {
    const onLost = (why: string): void => display.note(`${plain(why)}; trying again until it answers`);
    for await (const event of client.explorations.events(run.id, { onLost })) display.event(event);
  } finally {
    display.end();
  }
  return client.explorations.get(run.id);
}
