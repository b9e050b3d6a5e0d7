import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { defaultFolder } from './installation.ts';
import { makeWritableFolder } from './make-folder.ts';

/** The Sextant that was started last on this machine, so that the command line finds it whatever its port and folder are. */
const startedSextant = z.object({
  url: z.string(),
  /** Where its keys are. */
  folder: z.string(),
  /** The process that started it. */
  starter: z.int(),
});
export type StartedSextant = z.infer<typeof startedSextant>;

const startedFileIn = (home: string): string => join(home, 'started.json');

/** Notes where a Sextant was started. */
export function rememberStarted(started: StartedSextant, home = defaultFolder): void {
  makeWritableFolder(home);
  writeFileSync(startedFileIn(home), JSON.stringify(started), { mode: 0o600 });
}

/** Removes the note of a process, unless a later one has replaced it. */
export function forgetStarted(starter: number, home = defaultFolder): void {
  if (readNote(home)?.starter === starter) rmSync(startedFileIn(home), { force: true });
}

/** Returns the Sextant that was started last, if its process still runs. */
export function findStarted(home = defaultFolder): StartedSextant | null {
  const started = readNote(home);
  return started !== null && isRunning(started.starter) ? started : null;
}

function readNote(home: string): StartedSextant | null {
  if (!existsSync(startedFileIn(home))) return null;
  return startedSextant.parse(JSON.parse(readFileSync(startedFileIn(home), 'utf8')));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
