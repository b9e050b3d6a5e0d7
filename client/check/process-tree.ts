import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** A process and the memory that it holds. */
export interface TreeProcess {
  readonly pid: number;
  readonly megabytes: number;
}

const run = promisify(execFile);

/**
 * Returns a process and all that it started, itself first. Null if it has ended, or if the system does not say, as on Windows.
 */
export async function listProcessTree(pid: number): Promise<readonly TreeProcess[] | null> {
  const found = existsSync(`/proc/self/task/${process.pid}/children`)
    ? walkFrom(pid, readFromProc)
    : walkFrom(pid, await readFromPs());
  return found.length === 0 ? null : found;
}

/** What a system says of a process: null if there is none. */
type Read = (pid: number) => { readonly megabytes: number; readonly children: readonly number[] } | null;

function walkFrom(root: number, read: Read): TreeProcess[] {
  const found: TreeProcess[] = [];
  const open = [root];
  const seen = new Set<number>();
  for (let pid = open.shift(); pid !== undefined; pid = open.shift()) {
    const of = seen.has(pid) ? null : read(pid);
    seen.add(pid);
    if (of === null) continue;
    found.push({ pid, megabytes: of.megabytes });
    open.push(...of.children);
  }
  return found;
}

const readFromProc: Read = (pid) => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    // A process that has ended and was not waited for has no memory.
    if (kilobytes === undefined) return null;
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '),
    );
    return { megabytes: Number(kilobytes) / 1024, children: children.filter((each) => each !== '').map(Number) };
  } catch {
    // Ended while it was read.
    return null;
  }
};

async function readFromPs(): Promise<Read> {
  const listed = await run('ps', ['-A', '-o', 'pid=,ppid=,rss=']).catch(() => ({ stdout: '' }));
  const rows = listed.stdout.split('\n').flatMap((line) => {
    const [pid, parent, kilobytes] = line.trim().split(/\s+/).map(Number);
    return pid === undefined || parent === undefined || kilobytes === undefined ? [] : [{ pid, parent, kilobytes }];
  });
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const childrenOf = Map.groupBy(rows, ({ parent }) => parent);
  return (pid) => {
    const row = byPid.get(pid);
    if (row === undefined) return null;
    return { megabytes: row.kilobytes / 1024, children: (childrenOf.get(pid) ?? []).map((child) => child.pid) };
  };
}
