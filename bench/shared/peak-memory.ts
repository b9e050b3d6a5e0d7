import { readdirSync, readFileSync } from 'node:fs';

const everyMs = 100;
const kbPerMb = 1_024;
/** Linux counts CPU time in hundredths of a second. */
const msPerTick = 10;

/**
 * Watches the resident memory of the processes in a group; with `name`, only of those of them that have this name.
 * `startMb` is their current sum, and `stop` returns the largest sum seen, in MB.
 */
export function watchPeakMemory(group: number, name?: string): { readonly startMb: number; stop(): number } {
  const members = listProcessIdsOfGroupWithName(group, name);
  const startKb = sumResidentKb(members);
  let peakKb = startKb;
  const timer = setInterval(() => {
    peakKb = Math.max(peakKb, sumResidentKb(members));
  }, everyMs);
  return {
    startMb: startKb / kbPerMb,
    stop() {
      clearInterval(timer);
      return Math.max(peakKb, sumResidentKb(members)) / kbPerMb;
    },
  };
}

/**
 * Returns the CPU time (user and system), in steps of 10 ms, of the processes in a group; with `name`, only of those of
 * them that have this name.
 */
export const readCpuMs = (group: number, name?: string): number =>
  listProcessIdsOfGroupWithName(group, name).reduce((sum, id) => {
    const fields = readProcessStatAfterName(id);
    return sum + (Number(fields[11]) + Number(fields[12])) * msPerTick;
  }, 0);

const listProcessIdsOfGroupWithName = (group: number, name: string | undefined): string[] =>
  listProcessIdsOfGroup(group).filter((id) => name === undefined || readOrEmpty(`/proc/${id}/comm`).trim() === name);

function listProcessIdsOfGroup(group: number): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    const [, , of] = readProcessStatAfterName(name);
    return of === `${group}`;
  });
}

/** The fields after the process's name, which may contain anything: state, parent, group, and so on. */
const readProcessStatAfterName = (id: string): string[] =>
  readOrEmpty(`/proc/${id}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');

const sumResidentKb = (processes: readonly string[]): number =>
  processes.reduce(
    (sum, id) => sum + Number(/^VmRSS:\s*(\d+) kB$/m.exec(readOrEmpty(`/proc/${id}/status`))?.[1] ?? 0),
    0,
  );

/** Empty if the process has ended meanwhile. */
function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
