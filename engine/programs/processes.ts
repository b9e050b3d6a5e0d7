import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * Gives each program that a model writes a process of its own: workerd with a Worker that loads it. The runtime that runs Sextant
 * cannot run it, because workerd limits neither CPU time nor memory: a program without end would hold up everything.
 */

export interface ProgramProcesses {
  /** Where the Worker asks for a process: its path is a secret. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Megabytes of a process's JavaScript heap, as much as Cloudflare gives an isolate. */
const heapMegabytes = 128;
/** CPU seconds after which the system ends a process, should nobody else be left to. */
const cpuSeconds = 60;
const startMs = 30_000;

const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "program", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-10-01",
      bindings = [(name = "LOADER", workerLoader = (id = "programs"))],
      globalOutbound = "nothing",
    )),
    (name = "nothing", network = (allow = [])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "program")],
  v8Flags = ["--max-heap-size=${heapMegabytes}"],
);
`;

/** Ends workerd when its input ends, so also when whoever started it is killed. */
const guard = `ulimit -t ${cpuSeconds}; "$0" "$@" & pid=$!; exec 3>&-; read -r _; kill -9 $pid 2>/dev/null`;

interface Running {
  readonly port: number;
  end(): void;
}

/** Starts to listen for the Worker; `worker` is the built file of `process-worker.ts`. */
export async function startProgramProcesses(worker: string): Promise<ProgramProcesses> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-programs-'));
  copyFileSync(worker, join(folder, 'worker.js'));
  writeFileSync(join(folder, 'config.capnp'), config);
  const running = new Map<string, Running>();
  const path = `/${randomBytes(24).toString('hex')}`;
  const answer = async ({ method, url = '' }: IncomingMessage): Promise<{ status: number; body: unknown }> => {
    if (method === 'POST' && url === path) {
      const started = await startProcess(folder);
      const id = randomBytes(12).toString('hex');
      running.set(id, started);
      return { status: 201, body: { id, url: `ws://127.0.0.1:${started.port}/` } };
    }
    const id = url.startsWith(`${path}/`) ? url.slice(path.length + 1) : '';
    if (method !== 'DELETE' || id === '') return { status: 404, body: null };
    running.get(id)?.end();
    running.delete(id);
    return { status: 200, body: null };
  };
  const server = createServer((request, response) => {
    answer(request)
      .catch((error: unknown) => ({ status: 500, body: String(error) }))
      .then(({ status, body }) => response.writeHead(status).end(JSON.stringify(body)))
      .catch(console.error);
  });
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(z.object({ port: z.int() }).parse(server.address()).port)),
  );
  return {
    address: `http://127.0.0.1:${port}${path}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const { end } of running.values()) end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const listening = z.object({ event: z.literal('listen'), port: z.int() });

/** Starts a process and resolves once it listens. */
async function startProcess(folder: string): Promise<Running> {
  const workerd = z.object({ default: z.string() }).parse(createRequire(import.meta.url)('workerd'));
  const child = spawn(
    'sh',
    ['-c', guard, workerd.default, 'serve', '--experimental', '--control-fd=3', join(folder, 'config.capnp')],
    { stdio: ['pipe', 'ignore', 'ignore', 'pipe'] },
  );
  const end = (): void => void child.stdin?.end();
  const control = child.stdio[3];
  const timer = setTimeout(end, startMs);
  try {
    const { port } = listening.parse(JSON.parse(await readFirstLine(control)));
    return { port, end };
  } catch (error) {
    end();
    throw new Error('workerd did not start for a program', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects if the stream ends before a line did. */
const readFirstLine = (stream: unknown): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    const readable = z
      .custom<Readable>((value) => value !== null && typeof value === 'object' && 'on' in value)
      .parse(stream);
    readable.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    readable.on('close', () => reject(new Error('it ended')));
  });
