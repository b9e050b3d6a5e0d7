import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const secrets = z.object({ key: z.string() });
const processes = z.object({ groups: z.array(z.int()) });

/** What `npm start` runs, to be killed and started again. */
export interface DevServer {
  readonly url: string;
  readonly key: string;
  /** Ends every process of it at once, as a crash of the machine would. */
  kill(): Promise<void>;
  /** Ctrl-C; resolves with the exit code. */
  stop(): Promise<number | null>;
}

export interface DevServerPorts {
  readonly port: number;
  readonly gatewayPort: number;
  readonly modelsPort: number;
}

/** Starts it and waits until it says that it is up; throws what it printed where it ends before. */
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
  await untilUp(child, exit);
  const { key } = secrets.parse(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')));
  return {
    url: `http://127.0.0.1:${ports.port}`,
    key,
    async kill() {
      const groups = groupsOf(folder);
      child.kill('SIGKILL');
      for (const group of groups) process.kill(-group, 'SIGKILL');
      await exit;
    },
    stop() {
      child.kill('SIGINT');
      return exit;
    },
  };
}

function untilUp(child: ChildProcess, exit: Promise<number | null>): Promise<void> {
  const printed: string[] = [];
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface(stream).on('line', (line) => {
        printed.push(line);
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
