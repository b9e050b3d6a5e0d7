import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { CommandError, UsageError } from '../../../engine/usage-error.ts';
import type { AttemptMaker } from '../attempt.ts';
import { runProgram } from '../shell-command.ts';
import type { Preset, PresetStart } from './preset.ts';

/** Characters of output that are read: a program may print all that it did beside its answer. */
const outputChars = 8 * 1024 * 1024;
const versionMs = 60_000;

/** Variables without which a program may not find its way; all others could hold keys, or settings of its user. */
const passedVariables = [
  'PATH',
  'LANG',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
];

/** Makes attempts with a command-line agent, each in a folder and a home of its own. */
export const makeAttemptsWithPreset =
  (preset: Preset, { ownTools }: { readonly ownTools: boolean }): AttemptMaker =>
  async (attempt, { signal }) => {
    const { models, mcp, request } = attempt;
    const [name] = models?.names ?? [];
    if (models === undefined || name === undefined)
      throw new CommandError(
        `the evaluation names no model for this agent; create it with "evaluate --cli ${preset.name}"`,
      );
    const start = preset.start({
      request,
      mcp: { url: mcp.url, token: mcp.headers.Authorization.replace(/^Bearer +/i, '') },
      model: { name, urls: models.urls, token: models.token },
      ownTools,
    });
    return inOwnFolder(async (folder) => {
      await writeFiles(folder, start.files);
      const { exitCode, printed, complaint } = await runPreset(preset.program, { ...start, folder, signal });
      const answer = exitCode === 0 ? preset.readAnswer(printed) : null;
      if (answer === null && !signal.aborted) process.stderr.write(`${complaint.trimEnd() || printed.slice(-500)}\n`);
      return { exitCode: answer === null ? exitCode || 1 : 0, printed: answer ?? '' };
    });
  };

/** Returns the version that a program says it has. Throws a UsageError with the command that installs it if it is not there. */
export async function readPresetVersion({ program, install, versionArguments }: Preset): Promise<string> {
  const start = { arguments: versionArguments, environment: {}, files: {}, input: '' };
  try {
    const { printed } = await inOwnFolder((folder) =>
      runPreset(program, { ...start, folder, signal: AbortSignal.timeout(versionMs) }),
    );
    return /\d+\.\d+[\w.+-]*/.exec(printed)?.[0] ?? 'unknown';
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause;
    throw new UsageError(`${program} is not found${install === '' ? '' : `; install it with: ${install}`}`, { cause });
  }
}

function runPreset(program: string, start: PresetStart & { readonly folder: string; readonly signal: AbortSignal }) {
  const { folder, signal, input } = start;
  const passed = Object.fromEntries(passedVariables.map((name) => [name, process.env[name]]));
  const home = join(folder, 'home');
  return runProgram({
    program,
    arguments: start.arguments,
    environment: { ...passed, HOME: home, TMPDIR: join(folder, 'tmp'), ...start.environment },
    folder: join(folder, 'work'),
    input,
    maxChars: outputChars,
    signal,
  });
}

/** Works in a new folder that nobody else has, and removes it. */
async function inOwnFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sextant-agent-'));
  try {
    for (const name of ['home', 'work', 'tmp']) await mkdir(join(folder, name));
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function writeFiles(folder: string, files: PresetStart['files']): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = resolve(folder, name);
    if (!path.startsWith(`${folder}${sep}`)) throw new UsageError(`the file ${name} is not in the attempt's folder`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: 0o600 });
  }
}
