import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../../engine/usage-error.ts';
import { z } from 'zod';

const withCode = z.object({ code: z.string() });

/** How long processes may take to end after they were asked to. */
const graceMs = 1_000;
const lookMs = 20;

/** Groups that must not outlive this process. */
const ours = new Set<number>();
process.on('exit', () => {
  for (const group of ours) trySignalGroup(group, 'SIGKILL');
});

/** Lets a group end with this process, unless it is ended before. */
const addToGroupsKilledAtExit = (group: number): void => void ours.add(group);

/** Ends every process of a group: asks first, and then kills. */
async function endProcessGroup(group: number): Promise<void> {
  await terminateThenKill(group);
  ours.delete(group);
}

async function terminateThenKill(group: number): Promise<void> {
  if (!trySignalGroup(group, 'SIGTERM')) return;
  for (let waited = 0; waited < graceMs; waited += lookMs) {
    await sleep(lookMs);
    if (!trySignalGroup(group, 0)) return;
  }
  trySignalGroup(group, 'SIGKILL');
}

/** Returns whether any process received the signal. */
function trySignalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    if (withCode.safeParse(error).data?.code === 'ESRCH') return false;
    throw error;
  }
}

/** What one run of a command gets. */
export interface CommandRun {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Its standard input. */
  readonly input: string;
  /** How much of its standard output is kept. */
  readonly maxChars: number;
  /** Ends it, with all its child processes. */
  readonly signal: AbortSignal;
}

/** How a run ended. */
export interface CommandEnd {
  /** As a shell reports it: 128 plus the number of the signal that ended the command. */
  readonly exitCode: number;
  /** The beginning of its output. */
  readonly printed: string;
}

/** A program that is started without a shell. */
export interface ProgramRun extends CommandRun {
  readonly program: string;
  readonly arguments: readonly string[];
  /** Where it works. */
  readonly folder: string;
}

/** How long output may still arrive after the command has ended. */
const drainMs = 1_000;

/**
 * Runs a command like `sh -c`, in its own process group. No process of the group outlives it, and its standard error is
 * ours.
 */
export function runShell(command: string, run: CommandRun): Promise<CommandEnd> {
  const child = spawn('sh', ['-c', command], {
    env: run.environment,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return waitForEnd(child, run);
}

/** How much of a program's standard error is kept. */
const complaintChars = 2_000;

/** Runs a program in the same way, without a shell; `complaint` is the end of its standard error. */
export async function runProgram(run: ProgramRun): Promise<CommandEnd & { readonly complaint: string }> {
  const child = spawn(run.program, run.arguments, {
    env: run.environment,
    cwd: run.folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint = `${complaint}${chunk}`.slice(-complaintChars);
  });
  const end = await waitForEnd(child, run);
  return { ...end, complaint };
}

async function waitForEnd(
  child: ChildProcessByStdio<Writable, Readable, Readable | null>,
  run: CommandRun,
): Promise<CommandEnd> {
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new CommandError(`${child.spawnfile} cannot be started: ${cause.message}`, { cause })),
    );
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const { pid } = child;
  if (pid !== undefined) addToGroupsKilledAtExit(pid);
  let ending: Promise<void> | null = null;
  const end = (): Promise<void> => (ending ??= pid === undefined ? Promise.resolve() : endProcessGroup(pid));
  const stop = (): void => void end();
  run.signal.addEventListener('abort', stop, { once: true });
  if (run.signal.aborted) stop();
  try {
    const printed = makeGetterOfStreamBeginning(child.stdout, run.maxChars);
    // A command need not read its input; its pipe may break.
    child.stdin.on('error', () => {});
    child.stdin.end(run.input);
    const exitCode = await ended;
    await end();
    // A process that left the group may keep the output open forever.
    await Promise.race([closed, sleep(drainMs)]);
    return { exitCode, printed: printed() };
  } finally {
    run.signal.removeEventListener('abort', stop);
    child.stdout.destroy();
  }
}

/** Reads a stream and keeps its beginning until the end. */
function makeGetterOfStreamBeginning(stream: Readable, maxChars: number): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < maxChars) text += chunk;
  });
  return () => text.slice(0, maxChars);
}
