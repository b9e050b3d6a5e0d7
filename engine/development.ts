import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { removeOrMoveFolderAside } from './empty-folder.ts';
import { withoutModelVars, readDevVars } from './dev-vars.ts';
import { makeWritableFolder } from './make-folder.ts';
import { watchDisk } from './disk-watch.ts';
import { startEngine, type Engine } from './engine.ts';
import {
  builtProgramWorker,
  builtWorker,
  devVarsFile,
  isPackage,
  offlineProgram,
  programWorkerEntry,
  root,
} from './installation.ts';
import { startProgramProcesses } from './programs/processes.ts';
import {
  continuingRunsText,
  fetchWorkerInstanceIdOrNull,
  sleep,
  wakeAllRuns,
  watchWorkerAndWakeRuns,
} from './worker-watch.ts';

/**
 * Runs all of Sextant on this machine: the offline process (real MCP servers behind a gateway, rule-based models) and
 * the Worker in the runtime of `engine.ts`. What must survive a restart is in `folder`.
 */

export interface DevelopmentOptions {
  /** Folder for the keys and the Worker's storage. */
  readonly folder: string;
  /** Starts with an empty folder. */
  readonly fresh?: boolean;
  /** With `fresh`: where what was in the folder goes, in place of what is there. It is removed without it. */
  readonly aside?: string;
  readonly port: number;
  readonly gatewayPort: number;
  readonly modelsPort: number;
  /** An `mcpServers` file with the servers to run instead of the bundled ones; null to run none. */
  readonly servers?: string | null | undefined;
  /** Uses the offline models whatever `.dev.vars` says: nothing is paid. */
  readonly offlineModels?: boolean;
  /**
   * Another entry of the Worker than the default, for measurements and tests; by default the one that SEXTANT_ENTRY
   * names.
   */
  readonly entry?: string;
  /** Settings that override all others. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Aborts the start and everything that was started. */
  readonly signal?: AbortSignal;
  /** Receives progress, line by line. */
  readonly log: (line: string) => void;
}

export interface Development {
  readonly url: string;
  readonly key: string;
  readonly servers: readonly z.infer<typeof sandbox>[];
  /** The process in which the Worker runs now. */
  readonly runtime: () => number;
  /** Whether rules replace models. */
  readonly offline: boolean;
  /** What `.dev.vars` said at the start, secrets too. */
  readonly given: ReadonlyMap<string, string>;
  /** Resolves when a part ends by itself, with its name and how it ended. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

const offlineServer = z.object({
  name: z.string(),
  domain: z.string(),
  url: z.string(),
  isolation: z.object({ kind: z.enum(['none', 'session']) }),
  effects: z.record(z.string(), z.literal('reads')).default({}),
  auth: z.object({ type: z.literal('client-credentials'), clientId: z.string(), clientSecret: z.string() }).optional(),
});
/** The servers of this machine work on folders and data of their own, so calls may do anything. */
const sandbox = offlineServer.transform((server) => ({ ...server, allows: 'destroys' as const }));
const offlineReady = z.object({ gateway: z.string(), models: z.string(), servers: z.array(sandbox) });
const secretsFile = z.object({ key: z.string(), encryptionKey: z.string(), signingKey: z.string().optional() });
/** The starter of what runs in a folder, the leader of the group of offline processes, and the Worker's process. */
const processFile = z.object({ starter: z.int(), offline: z.int(), runtime: z.int() });

const readyMs = 90_000;
const portPatienceMs = 3_000;

/**
 * Starts everything and wakes the runs that a killed predecessor left. Throws with a message for a person if it cannot.
 */
export async function startSextantOnThisMachine(options: DevelopmentOptions): Promise<Development> {
  const { folder, port, log, entry = process.env['SEXTANT_ENTRY'] } = options;
  killLeftoversOrThrow(folder);
  if (options.fresh) removeOrMoveFolderAside(folder, options.aside);
  makeWritableFolder(folder);
  await waitForFreePortsOrThrow(options);
  const secrets = readOrCreateSecrets(folder);
  const stopping = new AbortController();
  const parts: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    stopping.abort();
    await Promise.all(parts.splice(0).map((stopPart) => stopPart()));
    rmSync(join(folder, 'processes.json'), { force: true });
  };
  try {
    const programs = await startProgramProcesses(await findOrBuildProgramWorker());
    parts.push(() => programs.stop());
    const { given, offline, vars } = collectVars(options, { ...secrets, programs: programs.address });
    log('starting the MCP servers and the Worker ...');
    const offlineProcess = startOfflineServersAndModels(options);
    parts.push(() => endProcessGroup(offlineProcess));
    const ended = waitForProcessEndText('the offline servers and models', offlineProcess);
    const died = Promise.race([ended, waitUntilAborted(options.signal)]).then((how) => {
      throw new Error(how);
    });
    const noteRuntime = makeProcessesNote(folder, offlineProcess.pid ?? 0);
    let runtimePid = 0;
    const url = `http://127.0.0.1:${port}`;
    const disk = watchDisk({ folder, wakeRuns: () => wakeAllRuns(url, secrets.key), log });
    parts.push(disk.stop);
    const starting = buildWorkerOfSources(entry).then((worker) =>
      startEngine({
        worker,
        folder: join(folder, 'state'),
        port,
        vars,
        log: (line) => void (disk.takeLine(line) || console.error(line)),
        onRuntime: (pid) => noteRuntime((runtimePid = pid)),
      }),
    );
    parts.push(() => stopIfStarted(starting));

    const [ready, engine] = await Promise.race([Promise.all([readFirstLine(offlineProcess), starting]), died]);
    const instance = await Promise.race([waitForWorkerInstanceId(url, stopping.signal), died]);
    const { servers } = offlineReady.parse(JSON.parse(ready));
    const woken = await wakeAllRuns(url, secrets.key);
    if (woken > 0) log(continuingRunsText(woken));
    const lost = watchWorkerAndWakeRuns({ url, key: secrets.key, instance, engine, signal: stopping.signal, log });
    const runtime = (): number => runtimePid;
    return { url, key: secrets.key, servers, runtime, offline, given, ended: Promise.race([ended, lost]), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What is made for this machine: its keys, and where programs get their processes. */
type MadeHere = ReturnType<typeof readOrCreateSecrets> & { readonly programs: string };

/** Returns what `.dev.vars` says, whether rules replace models, and the settings of the Worker. */
function collectVars(
  { offlineModels, modelsPort, vars = {} }: DevelopmentOptions,
  made: MadeHere,
): { given: ReadonlyMap<string, string>; offline: boolean; vars: Map<string, string> } {
  const all = readDevVars(devVarsFile());
  const given = offlineModels === true ? withoutModelVars(all) : all;
  // A model on this machine may need no key, so a given address is enough.
  const offline = !given.has('OPENAI_API_KEY') && !given.has('OPENAI_BASE_URL');
  const models = offline ? offlineModelVars(modelsPort) : [];
  return {
    given,
    offline,
    vars: new Map([...varsOfThisMachine(made), ...models, ...given, ...Object.entries(vars)]),
  };
}

const varsOfThisMachine = (secrets: MadeHere): [string, string][] => [
  ['PROGRAM_PROCESSES_URL', secrets.programs],
  ['ALLOW_LOCAL_SERVERS', 'true'],
  ['NO_PAGE_CACHE', 'true'],
  ['DELETE_ENDED_INSTANCES', 'true'],
  ['ENCRYPTION_KEY', secrets.encryptionKey],
  ['SIGNING_KEY', secrets.signingKey],
  ['ROOT_KEY_SHA256', createHash('sha256').update(secrets.key).digest('hex')],
];

/** Notes the processes of this start for the next one, which ends what a kill leaves of them. */
function makeProcessesNote(folder: string, offline: number): (runtime: number) => void {
  const note = (runtime: number): void =>
    writeFileSync(join(folder, 'processes.json'), JSON.stringify({ starter: process.pid, offline, runtime }));
  note(0);
  return note;
}

/** A failed start has left nothing to stop, and is reported by the caller. */
const stopIfStarted = async (starting: Promise<Engine>): Promise<void> => {
  const [engine] = await Promise.allSettled([starting]);
  if (engine.status === 'fulfilled') await engine.value.stop();
};

/** Returns the Worker's file. Only a clone has the sources, and the bundler. */
async function buildWorkerOfSources(entry: string | undefined): Promise<string> {
  if (isPackage) return builtWorker;
  const { buildWorkerIfChanged } = await import('./build-worker.ts');
  return buildWorkerIfChanged(entry);
}

async function findOrBuildProgramWorker(): Promise<string> {
  if (isPackage) return builtProgramWorker;
  const { buildWorkerIfChanged } = await import('./build-worker.ts');
  return buildWorkerIfChanged(programWorkerEntry);
}

async function waitForFreePortsOrThrow({ port, gatewayPort, modelsPort }: DevelopmentOptions): Promise<void> {
  for (const [option, wanted] of Object.entries({
    '--port': port,
    '--gateway-port': gatewayPort,
    '--models-port': modelsPort,
  })) {
    if (!(await isPortFreeWithinPatience(wanted)))
      throw new Error(`port ${wanted} is in use; end what listens there, or give another ${option}`);
  }
}

function startOfflineServersAndModels({ gatewayPort, modelsPort, servers }: DevelopmentOptions): ChildProcess {
  return spawn(
    process.execPath,
    [
      offlineProgram,
      '--watch-stdin',
      '--gateway-port',
      `${gatewayPort}`,
      '--models-port',
      `${modelsPort}`,
      ...(servers === null ? ['--no-servers'] : servers === undefined ? [] : ['--servers', servers]),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'], detached: true },
  );
}

const offlineModelVars = (port: number): [string, string][] => [
  ['OFFLINE_MODELS', 'true'],
  ['OPENAI_BASE_URL', `http://127.0.0.1:${port}/v1`],
  ['OPENAI_API_KEY', 'offline'],
  ['WRITER_MODEL', 'offline-writer'],
  ['CRITIC_MODEL', 'offline-critic'],
  ['AGENT_MODEL', 'offline-steady'],
  ['JUDGE_MODEL', 'offline-judge'],
  ['EMBEDDER_MODEL', 'offline-embedder'],
];

/**
 * The keys of the installation: generated once, so that stored data can be read after a restart. An earlier version had
 * no signing key.
 */
function readOrCreateSecrets(folder: string): { key: string; encryptionKey: string; signingKey: string } {
  const file = join(folder, 'secrets.json');
  const known = existsSync(file)
    ? secretsFile.parse(JSON.parse(readFileSync(file, 'utf8')))
    : { key: `sxt_dev_${randomBytes(24).toString('hex')}`, encryptionKey: randomBytes(32).toString('base64') };
  const made = { ...known, signingKey: known.signingKey ?? randomBytes(32).toString('base64') };
  writeFileSync(file, JSON.stringify(made), { mode: 0o600 });
  return made;
}

/** Ends the processes of a predecessor that was killed before it could. Throws if it is still running. */
function killLeftoversOrThrow(folder: string): void {
  const file = join(folder, 'processes.json');
  if (!existsSync(file)) return;
  const parsed = processFile.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  // Written by an earlier version, whose processes have ended if nothing listens on the ports.
  if (!parsed.success) return rmSync(file);
  const { starter, offline, runtime } = parsed.data;
  const ours = [offline, runtime].filter((pid) => isProcessOfThisCheckout(pid, folder));
  if (ours.some((pid) => readParentProcessId(pid) === starter))
    throw new Error(`process ${starter} runs in ${folder} already; end it first, or give another --folder`);
  // The offline process leads a group; the runtime is in its starter's.
  for (const pid of ours) process.kill(pid === offline ? -pid : pid, 'SIGKILL');
  rmSync(file);
}

/** Returns whether the process with this id was started here, and is not an unrelated process with a reused id. */
function isProcessOfThisCheckout(pid: number, folder: string): boolean {
  const commandLine = `/proc/${pid}/cmdline`;
  if (!existsSync(commandLine)) return false;
  const text = readFileSync(commandLine, 'utf8');
  return text.includes(root) || text.includes(folder);
}

/** Returns the parent of a process, which changes when its starter dies. */
function readParentProcessId(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]);
}

/** A predecessor's ports and files are free only after the kernel has removed the killed processes. */
async function isPortFreeWithinPatience(port: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < portPatienceMs; waitedMs += 100) {
    if (await isPortFree(port)) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return isPortFree(port);
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** Resolves when the signal aborts; never without one. */
function waitUntilAborted(signal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve('interrupted'), { once: true }));
}

function waitForProcessEndText(name: string, child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`${name} could not be started: ${error.message}`));
    child.once('exit', (code, signal) => resolve(`${name} ended (${signal ?? `exit code ${code}`})`));
  });
}

function readFirstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) return reject(new Error('no output to read'));
    createInterface(child.stdout).once('line', resolve);
  });
}

/** Returns the Worker's instance once it answers; stops waiting if the start has failed. */
async function waitForWorkerInstanceId(url: string, stopping: AbortSignal): Promise<string> {
  const deadline = Date.now() + readyMs;
  for (;;) {
    const instance = await fetchWorkerInstanceIdOrNull(url, readyMs);
    if (instance !== null) return instance;
    stopping.throwIfAborted();
    if (Date.now() > deadline) throw new Error(`the Worker did not answer within ${readyMs / 1000} s`);
    await sleep(100);
  }
}

/** Asks a process and its children to end, and kills them after a while. */
async function endProcessGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  process.kill(-pid, 'SIGTERM');
  const patience = setTimeout(() => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGKILL');
  }, 5_000);
  await gone;
  clearTimeout(patience);
}
