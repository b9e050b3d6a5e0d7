import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { breachesIn, readReport } from './platform/report.ts';

const root = join(import.meta.dirname, '../..');
const secrets = z.object({ key: z.string() });
const processes = z.object({ groups: z.array(z.int()) });

/** What `npm start` runs, for killing and restarting. */
export interface DevServer {
  readonly url: string;
  readonly key: string;
  /** Ends all its processes at once, like a crash of the machine. */
  kill(): Promise<void>;
  /**
   * Ends one of the two workerds under wrangler: the one with the Worker, or the one before it that accepts requests.
   */
  killRuntime(which: 'worker' | 'proxy'): void;
  /** Ctrl-C; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Resolves with the exit code in any case. */
  readonly exit: Promise<number | null>;
  /** The lines that it has printed so far. */
  printed(): readonly string[];
}

export interface DevServerPorts {
  readonly port: number;
  readonly gatewayPort: number;
  readonly modelsPort: number;
}

/** Broken platform rules that the servers of this test file have reported. A killed server has reported before. */
const broken: string[] = [];
export const brokenRules = (): readonly string[] => broken;

/** Starts it and waits until it is up; throws its output if it ends before. */
export async function startDevServer(folder: string, ports: DevServerPorts): Promise<DevServer> {
  const args = ['--folder', folder, '--port', `${ports.port}`, '--gateway-port', `${ports.gatewayPort}`];
  const child = spawn(
    process.execPath,
    [join(root, 'scripts/start.ts'), ...args, '--models-port', `${ports.modelsPort}`],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const printed: string[] = [];
  await untilUp(child, printed, exit);
  const { key } = secrets.parse(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')));
  const url = `http://127.0.0.1:${ports.port}`;
  // Throws if the Worker is not the counting one, so that no test passes unobserved.
  await readReport(url);
  return {
    url,
    key,
    async kill() {
      const groups = groupsOf(folder);
      child.kill('SIGKILL');
      for (const group of groups) process.kill(-group, 'SIGKILL');
      await exit;
    },
    killRuntime(which) {
      const found = runtimesOf(groupsOf(folder)).filter(
        ({ commandLine }) => commandLine.includes(`entry=127.0.0.1:${ports.port}\0`) === (which === 'proxy'),
      );
      if (found.length !== 1) throw new Error(`${found.length} processes are the ${which}`);
      for (const { pid } of found) process.kill(pid, 'SIGKILL');
    },
    stop() {
      child.kill('SIGINT');
      return exit;
    },
    exit,
    printed: () => printed,
  };
}

function untilUp(child: ChildProcess, printed: string[], exit: Promise<number | null>): Promise<void> {
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface(stream).on('line', (line) => {
        printed.push(line);
        broken.push(...breachesIn(line));
        if (line.startsWith('Sextant ')) resolve();
      });
    }
    void exit.then((code) => reject(new Error(`it ended with ${code}:\n${printed.join('\n')}`)));
  });
}

function groupsOf(folder: string): number[] {
  const file = join(folder, 'processes.json');
  return existsSync(file) ? processes.parse(JSON.parse(readFileSync(file, 'utf8'))).groups : [];
}

/** The workerds in these process groups. */
function runtimesOf(groups: readonly number[]): { readonly pid: number; readonly commandLine: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    const [pid, status, file] = [Number(name), `/proc/${name}/stat`, `/proc/${name}/cmdline`];
    if (!Number.isInteger(pid) || !existsSync(file)) return [];
    const commandLine = readFileSync(file, 'utf8');
    // The fields after the name, which ends with the last bracket: state, parent, group.
    const group = Number(/\) \S \d+ (\d+) [^)]*$/.exec(readFileSync(status, 'utf8'))?.[1]);
    return groups.includes(group) && commandLine.includes('workerd\0serve') ? [{ pid, commandLine }] : [];
  });
}
