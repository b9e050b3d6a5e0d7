import { errorText, exitCodeFor } from '../client/command-line/error-output.ts';
import { buildPagesIfOlder } from './build-pages.ts';
import { startDevelopment } from './development.ts';
import { parseStartLine, type StartOptions } from './start-options.ts';

/** `npm start`: runs everything on this machine until Ctrl-C. */

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());

try {
  const asked = parseStartLine(process.argv.slice(2));
  if ('help' in asked) console.log(asked.help);
  else await runUntilStopped(asked);
} catch (error) {
  console.error(errorText(error));
  process.exitCode = exitCodeFor(error);
}

/** Starts everything, and stops it when it is interrupted or a part of it ends. */
async function runUntilStopped(options: StartOptions): Promise<void> {
  await buildPagesIfOlder();
  const development = await startDevelopment({
    ...options,
    signal: interrupted.signal,
    log: (line) => console.log(line),
  });
  console.log(`
Sextant   ${development.url}   (API description: ${development.url}/openapi.json)
pages     ${development.url}/#key=${development.key}
key       ${development.key}
models    ${development.offline ? 'offline: rules that stand in for models; what they produce says nothing about models' : 'as set in .dev.vars'}
servers   ${development.servers.length} MCP servers at http://127.0.0.1:${options.gatewayPort}/<name>/mcp

Ctrl-C ends it. Runs that are under way go on at the next start.`);
  const asked = new Promise<null>((resolve) => {
    if (interrupted.signal.aborted) resolve(null);
    interrupted.signal.addEventListener('abort', () => resolve(null));
  });
  const how = await Promise.race([development.ended, asked]);
  await development.stop();
  if (how !== null) {
    console.error(how);
    process.exitCode = 1;
  }
}
