import { existsSync, readFileSync } from 'node:fs';

const everyMs = 100;
const kbPerMb = 1_024;
/** Linux counts CPU time in hundredths of a second. */
const msPerTick = 10;

/** Watches the resident memory of processes. `startMb` is their current sum, and `stop` returns the largest sum seen, in MB. */
export function watchPeakMemory(...processes: readonly number[]): { readonly startMb: number; stop(): number } {
  const startKb = sumResidentKb(processes);
  let peakKb = startKb;
  const timer = setInterval(() => {
    peakKb = Math.max(peakKb, sumResidentKb(processes));
  }, everyMs);
  return {
    startMb: startKb / kbPerMb,
    stop() {
      clearInterval(timer);
      return Math.max(peakKb, sumResidentKb(processes)) / kbPerMb;
    },
  };
}

/** Returns the CPU time (user and system) of a process, in steps of 10 ms. */
export function readCpuMs(pid: number): number {
  // The fields after the process's name, which may contain anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

/** Returns the sum of the resident memory of processes, in whole MB. */
export const readResidentMb = (...processes: readonly number[]): number =>
  Math.round(sumResidentKb(processes) / kbPerMb);

const sumResidentKb = (processes: readonly number[]): number =>
  processes.reduce((sum, pid) => sum + Number(/^VmRSS:\s*(\d+) kB$/m.exec(readStatusOrEmpty(pid))?.[1] ?? 0), 0);

/** Empty if the process has ended meanwhile. */
function readStatusOrEmpty(pid: number): string {
  const file = `/proc/${pid}/status`;
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
