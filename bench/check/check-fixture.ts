import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isEffectWithinLimit } from '#core/catalog/effect.ts';
import { runCheck } from '../../client/check/run-check.ts';
import { root } from '../../engine/installation.ts';
import { readFixtureServer, serversFolder } from '../../tests/support/fixture-servers.ts';
import type { CheckedServer } from './score.ts';

/** The most that calls may do. */
const allows = 'reads';

/** Checks a server of the corpus, by the path of its file without the ending, as `sextant check` does; its calls are written into `folder`. */
export async function checkFixture(
  path: string,
  folder: string,
  progress: (line: string) => void,
): Promise<CheckedServer> {
  const { name, tools, faults, unnamed } = await readFixtureServer(path);
  const callsFile = join(folder, name);
  const begunMs = performance.now();
  const said = await checkServer({ name, path }, callsFile, progress);
  const seconds = (performance.now() - begunMs) / 1_000;
  progress(`${name}: ${seconds.toFixed(1)} s`);
  const calls = existsSync(callsFile) ? readFileSync(callsFile, 'utf8').split('\n').slice(0, -1) : [];
  return {
    server: name,
    tools: tools.map(({ definition, changes = false }) => ({ name: definition.name, changes })),
    faults,
    unnamed,
    calls,
    seconds,
    ...said,
  };
}

async function checkServer(
  { name, path }: { readonly name: string; readonly path: string },
  callsFile: string,
  progress: (line: string) => void,
): Promise<Pick<CheckedServer, 'findings' | 'leftOut' | 'failed'>> {
  const entry = {
    kind: 'stdio',
    name,
    domain: undefined,
    command: process.execPath,
    args: [join(serversFolder, 'run.ts'), path],
    env: { CALLS_FILE: callsFile },
    cwd: root,
  } as const;
  const signal = new AbortController().signal;
  const { report, unusable } = await runCheck(
    { kind: 'servers', entries: [entry] },
    { allows, static: false, progress, signal },
  );
  return {
    findings: report.findings,
    leftOut: report.tools.flatMap(({ tool, effect }) =>
      isEffectWithinLimit(effect, allows) ? [] : [tool.slice(name.length + 1)],
    ),
    failed: unusable[0]?.why ?? null,
  };
}
