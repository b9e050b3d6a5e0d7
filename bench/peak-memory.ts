import { readdirSync, readFileSync } from 'node:fs';

const everyMs = 100;
const kbPerMb = 1_024;

/**
 * Watches the resident memory of the processes that are in a group now, or of those with this name; `startMb` is their sum now, and `stop`
 * gives the largest that was seen, in MB.
 */
export function watchMemory(group: number, name?: string): { readonly startMb: number; stop(): number } {
  const members = processesOf(group).filter((id) => name === undefined || read(`/proc/${id}/comm`).trim() === name);
  const startKb = residentKb(members);
  let peakKb = startKb;
  const timer = setInterval(() => {
    peakKb = Math.max(peakKb, residentKb(members));
  }, everyMs);
  return {
    startMb: startKb / kbPerMb,
    stop() {
      clearInterval(timer);
      return Math.max(peakKb, residentKb(members)) / kbPerMb;
    },
  };
}

function processesOf(group: number): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    // Behind the name, which may hold anything: state, parent, group.
    const [, , of] = read(`/proc/${name}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    return of === `${group}`;
  });
}

const residentKb = (processes: readonly string[]): number =>
  processes.reduce((sum, id) => sum + Number(/^VmRSS:\s*(\d+) kB$/m.exec(read(`/proc/${id}/status`))?.[1] ?? 0), 0);

/** Empty where the process has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
