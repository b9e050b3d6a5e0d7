import type { Command } from '../command-line/command.ts';
import { runSextantUntilStopped } from '../start/run-until-stopped.ts';
import { makeStartCommand, readStartOptions } from '../start/start-options.ts';

/** The verb that runs Sextant on this machine. */
export const startCommands: readonly Command[] = [
  makeStartCommand((given, { output, signal }) =>
    runSextantUntilStopped(readStartOptions(given), signal, (line) =>
      output.outSinkOrNotesInJsonMode.write(`${line}\n`),
    ),
  ),
];
