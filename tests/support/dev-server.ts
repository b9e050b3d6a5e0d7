import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { breachesIn, readReport } from './platform/report.ts';

const root = join(import.meta.dirname, '../..');
const secrets = z.object({ key: z.string() });
const processes = z.object({ offline: z.int(), runtime: z.int() });

/** What `npm start` runs, for killing and restarting. */
export interface DevServer {
  readonly url: string;
  readonly key: string;
  /** Ends all its processes at once, like a crash of the machine. */
  kill(): Promise<void>;
  /** Ends the process with the Worker. */
  killRuntime(): void;
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
      const running = processesOf(folder);
      child.kill('SIGKILL');
      if (running !== null) for (const id of [-running.offline, running.runtime]) process.kill(id, 'SIGKILL');
      await exit;
    },
    killRuntime() {
      const { runtime } = processesOf(folder) ?? {};
      if (runtime === undefined) throw new Error('it has ended');
      process.kill(runtime, 'SIGKILL');
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

/** The file is gone where it has ended in order. */
function processesOf(folder: string): z.infer<typeof processes> | null {
  const file = join(folder, 'processes.json');
  return existsSync(file) ? processes.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}
