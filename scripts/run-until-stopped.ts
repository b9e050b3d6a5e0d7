import { startSextantOnThisMachine } from './development.ts';
import { isPackage } from './installation.ts';
import type { StartOptions } from './start-options.ts';
import { forgetStarted, rememberStarted } from './started.ts';

/** Starts everything, and stops it when it is interrupted. Throws if a part of it ends by itself. */
export async function runSextantUntilStopped(
  options: StartOptions,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  if (!isPackage) {
    const { buildPagesIfOlder } = await import('./build-pages.ts');
    await buildPagesIfOlder();
  }
  const development = await startSextantOnThisMachine({ ...options, signal, log: say });
  const { url, key, offline, servers } = development;
  rememberStarted({ url, folder: options.folder, starter: process.pid });
  say(`
Sextant   ${url}   (API description: ${url}/openapi.json)
pages     ${url}/#key=${key}
key       ${key}
models    ${offline ? 'offline: rules that stand in for models; what they produce says nothing about models' : 'as set in .dev.vars'}
servers   ${servers.length === 0 ? 'none of its own; register yours with: servers add' : `${servers.length} MCP servers at http://127.0.0.1:${options.gatewayPort}/<name>/mcp`}

Ctrl-C ends it. Runs that are under way go on at the next start.`);
  const asked = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null));
  });
  const how = await Promise.race([development.ended, asked]);
  await development.stop();
  forgetStarted(process.pid);
  if (how !== null) throw new Error(how);
}
