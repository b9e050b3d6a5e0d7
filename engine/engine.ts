import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { readFilesBeside } from './files-beside.ts';
import { root } from './installation.ts';

/** Runs a built Worker in workerd under Miniflare, as `wrangler.toml` says: its objects, Workflows, pages and flags. */

export interface EngineOptions {
  /** The file of the built Worker. */
  readonly worker: string;
  /** Where objects and Workflows keep their state. */
  readonly folder: string;
  readonly port: number;
  /** Settings that override those of `wrangler.toml`. */
  readonly vars: ReadonlyMap<string, string>;
  /** Called with the process of the runtime, now and whenever another one has taken its place. */
  readonly onRuntime: (pid: number) => void;
  /** Receives what the Worker logs as a warning or an error, and what the runtime says of itself. */
  readonly log: (line: string) => void;
}

export interface Engine {
  /** Runs what the Worker does on its schedule. */
  runSchedule(): Promise<void>;
  stop(): Promise<void>;
}

/** What we use of `wrangler.toml`. What is unknown here is refused: it would hold in a deployment and not on this machine. */
const wranglerConfig = z.strictObject({
  name: z.string(),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  vars: z.record(z.string(), z.string()),
  assets: z.strictObject({ directory: z.string(), binding: z.string(), html_handling: z.literal('none') }),
  triggers: z.strictObject({ crons: z.tuple([z.string()]) }),
  durable_objects: z.strictObject({
    bindings: z.array(z.strictObject({ name: z.string(), class_name: z.string() })),
  }),
  workflows: z.array(z.strictObject({ name: z.string(), binding: z.string(), class_name: z.string() })),
  // Its isolates have no limits on this machine: each program gets a process (`programs/processes.ts`).
  worker_loaders: z.tuple([z.strictObject({ binding: z.literal('PROGRAM_LOADER') })]),
  migrations: z.array(z.strictObject({ tag: z.string(), new_sqlite_classes: z.array(z.string()) })),
  // These concern the build and the deployment.
  main: z.string(),
  rules: z.unknown(),
  limits: z.unknown(),
  observability: z.unknown(),
});

/** Reads `wrangler.toml`. Throws if it has a setting that would not hold on this machine. */
export const parseWranglerConfig = (text: string): z.infer<typeof wranglerConfig> => wranglerConfig.parse(parse(text));

/**
 * Starts the Worker and resolves once the runtime listens. A runtime that crashes is started again, on the same state.
 * Throws if it does not start, such as where the port is taken.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { Miniflare, Log, LogLevel } = await import('miniflare');
  const config = parseWranglerConfig(readFileSync(join(root, 'wrangler.toml'), 'utf8'));
  const runtime = watchRuntimeProcesses(options.onRuntime);
  const listenersBefore = endSignals.map((signal) => process.listeners(signal));
  const miniflare = new Miniflare({
    cf: false,
    enableDevRegistry: false,
    logRequests: false,
    log: new Log(LogLevel.ERROR, { prefix: 'runtime' }),
    handleStructuredLogs: ({ level, message }) => {
      if (level === 'warn' || level === 'error') options.log(message);
    },
    // Where `wrangler dev`, which ran earlier versions, kept the same state.
    resourcePersistencePath: join(options.folder, 'v3'),
    workers: [makeWorkerOptions(config, options)],
  });
  // Miniflare ends the process at once; the caller ends in order, and stops the engine.
  for (const [n, signal] of endSignals.entries())
    for (const listener of process.listeners(signal))
      if (!listenersBefore[n]?.includes(listener)) process.off(signal, listener);
  const stop = async (): Promise<void> => {
    runtime.forget();
    await miniflare.dispose();
  };
  try {
    await miniflare.ready;
  } catch (error) {
    await stop();
    throw error;
  }
  collectGarbage();
  const [cron] = config.triggers.crons;
  return {
    async runSchedule() {
      await (await miniflare.getWorker()).scheduled({ cron });
    },
    stop,
  };
}

/** The runtime's configuration and the Worker were passed on in copies of tens of megabytes, which nothing else would collect for long. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function makeWorkerOptions(config: z.infer<typeof wranglerConfig>, { worker, port, vars }: EngineOptions) {
  const { name, assets, durable_objects: objects, workflows } = config;
  const sqlite = new Set(config.migrations.flatMap(({ new_sqlite_classes: classes }) => classes));
  for (const { class_name: object } of objects.bindings)
    if (!sqlite.has(object)) throw new Error(`wrangler.toml has no migration that creates ${object}`);
  return {
    config: {
      name,
      compatibilityDate: config.compatibility_date,
      compatibilityFlags: config.compatibility_flags,
      manifest: {
        mainModule: basename(worker),
        modulesRoot: dirname(worker),
        modules: {
          [basename(worker)]: { type: 'esm' as const, contents: readFileSync(worker, 'utf8') },
          ...readFilesBeside(dirname(worker)),
        },
      },
      env: {
        ...mapValues({ ...config.vars, ...Object.fromEntries(vars) }, (value) => ({ type: 'text' as const, value })),
        ...Object.fromEntries(
          objects.bindings.map((object) => [
            object.name,
            { type: 'durable-object' as const, worker: name, exportName: object.class_name },
          ]),
        ),
        ...Object.fromEntries(
          workflows.map((workflow) => [
            workflow.binding,
            { type: 'workflow' as const, name: workflow.name, worker: name, exportName: workflow.class_name },
          ]),
        ),
        [assets.binding]: { type: 'assets' as const },
      },
      exports: {
        ...Object.fromEntries(
          objects.bindings.map((object) => [
            object.class_name,
            { type: 'durable-object' as const, storage: 'sqlite' as const },
          ]),
        ),
        ...Object.fromEntries(
          workflows.map((workflow) => [workflow.class_name, { type: 'workflow' as const, name: workflow.name }]),
        ),
      },
      assets: {
        directory: join(root, assets.directory),
        htmlHandling: assets.html_handling,
        hasUserWorker: true,
      },
    },
    // Requests reach the Worker without Miniflare's own one before it, which would copy every event of every stream.
    dev: { unsafeDirectSockets: [{ host: '127.0.0.1', port }] },
  };
}

const mapValues = <T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** Miniflare does not say which process it starts, nor which one replaces a crashed one; Node reports every process. */
function watchRuntimeProcesses(tell: (pid: number) => void): { forget(): void } {
  let watching = true;
  const listener = (message: unknown): void => {
    const child = started.parse(message).process;
    child.once('spawn', () => {
      const isRuntime = basename(child.spawnfile).startsWith('workerd');
      if (watching && isRuntime && child.pid !== undefined) tell(child.pid);
    });
  };
  subscribe('child_process', listener);
  return {
    forget() {
      watching = false;
      unsubscribe('child_process', listener);
    },
  };
}
const started = z.object({ process: z.instanceof(ChildProcess) });
