import { statfsSync } from 'node:fs';
import { continuingRunsText } from './worker-watch.ts';

/** Room from which runs can go on: a few of the largest rows, with what the database writes beside them. */
const enoughBytes = 16 * 1024 * 1024;
const pollMs = 1_000;

export interface DiskWatch {
  /** Takes a line of the runtime's log. Returns whether it says that the disk is full, which the watch then says once. */
  takeLine(line: string): boolean;
  readonly stop: () => Promise<void>;
}

export interface WatchedDisk {
  /** The folder with the state. */
  readonly folder: string;
  /** Gives every run that has not ended a new driver; returns how many there are. */
  readonly wakeRuns: () => Promise<number>;
  readonly log: (line: string) => void;
  /** Bytes that can still be written in the folder; for tests. */
  readonly measureFreeBytes?: (folder: string) => number;
}

/**
 * Watches for a full disk, on which nothing can be committed: runs stop where they are. Says so in one line, and wakes them when there is
 * room again, because nothing else would before they have been silent for long.
 */
export function watchDisk({ folder, wakeRuns, log, measureFreeBytes = freeBytesOf }: WatchedDisk): DiskWatch {
  let timer: NodeJS.Timeout | null = null;
  const poll = async (): Promise<void> => {
    const woken = measureFreeBytes(folder) < enoughBytes ? null : await wakeRuns().catch(() => null);
    if (timer === null) return;
    if (woken === null) timer = setTimeout(() => void poll(), pollMs);
    else {
      timer = null;
      log(`there is room on the disk again${woken > 0 ? `; ${continuingRunsText(woken)}` : ''}`);
    }
  };
  return {
    takeLine(line) {
      if (!line.includes('SQLITE_FULL')) return false;
      if (timer === null) {
        log(
          `the disk of ${folder} is full: nothing new is kept, and runs wait; what was committed is safe. Make ${enoughBytes / 1024 / 1024} MiB of room, and they go on`,
        );
        timer = setTimeout(() => void poll(), pollMs);
      }
      return true;
    },
    async stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
