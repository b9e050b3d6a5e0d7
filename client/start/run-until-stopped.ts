import { startSextantOnThisMachine, type Development } from '../../engine/development.ts';
import { isPackage } from '../../engine/installation.ts';
import { makeWritableFolder } from '../../engine/make-folder.ts';
import type { StartOptions } from './start-options.ts';
import { forgetStarted, rememberStarted } from '../../engine/started.ts';

/** Starts everything, and stops it when it is interrupted. Throws if a part of it ends by itself. */
export async function runSextantUntilStopped(
  options: StartOptions,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  makeWritableFolder(options.folder);
  if (!isPackage) {
    const { buildPagesIfOlder } = await import('../../engine/build-pages.ts');
    await buildPagesIfOlder();
  }
  const development = await startSextantOnThisMachine({ ...options, signal, log: say });
  try {
    rememberStarted({ url: development.url, folder: options.folder, starter: process.pid });
    say(startedText(development, options.gatewayPort));
    const asked = new Promise<null>((resolve) => {
      if (signal.aborted) resolve(null);
      signal.addEventListener('abort', () => resolve(null));
    });
    const how = await Promise.race([development.ended, asked]);
    if (how !== null) throw new Error(how);
  } finally {
    await development.stop();
    forgetStarted(process.pid);
  }
}

const startedText = ({ url, key, offline, given, servers }: Development, gatewayPort: number): string => `
Sextant   ${url}   (API description: ${url}/openapi.json)
pages     ${url}/#key=${key}
key       ${key}
models    ${offline ? 'offline: rules that stand in for models; what they produce says nothing about models' : givenModelsText(given)}
servers   ${servers.length === 0 ? 'none of its own; register yours with: servers add' : `${servers.length} MCP servers at http://127.0.0.1:${gatewayPort}/<name>/mcp`}

Ctrl-C ends it. Runs that are under way go on at the next start.`;

/** Says which models are asked, and since when what .dev.vars says counts. */
function givenModelsText(given: ReadonlyMap<string, string>): string {
  const models = [...given].flatMap(([name, value]) => (name.endsWith('_MODEL') ? [`${name} ${value}`] : []));
  return `as .dev.vars was at this start: ${[...models, `${models.length === 0 ? 'those' : 'the rest'} of wrangler.toml`].join(', ')}; "models check" asks them`;
}
