import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { processOptionsWithLimitedEnvironment } from '../serve/bridged-session.ts';
import type { StdioEntry } from '../serve/server-file.ts';

/** Starts the process of a local server, with all its streams piped: its caller reads its standard error, or lets it flow. */
export function spawnServer(entry: StdioEntry): ChildProcessWithoutNullStreams {
  const { command, args = [], env, cwd } = processOptionsWithLimitedEnvironment(entry);
  return spawn(command, args, {
    env,
    cwd,
    stdio: 'pipe',
    windowsHide: true,
    // On Windows, npx and its like are scripts, which only a shell starts.
    shell: process.platform === 'win32' && /^(?:npx|npm|pnpm|yarn|bunx)$|\.(?:cmd|bat)$/i.test(command),
  });
}
