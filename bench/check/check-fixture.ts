import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isEffectWithinLimit } from '#core/catalog/effect.ts';
import { listDefinitionFindings } from '#core/reports/check/definitions/list-definition-findings.ts';
import { probeServer } from '../../client/check/probe-servers.ts';
import { errorText } from '../../client/command-line/error-output.ts';
import { root } from '../../engine/installation.ts';
import { readFixtureServer, serversFolder } from '../../tests/support/fixture-servers.ts';
import type { CheckedServer } from './score.ts';

/** The most that calls may do. */
const allows = 'reads';

/** Checks a server of the corpus as `sextant check` does; its calls are written into `folder`. */
export async function checkFixture(
  name: string,
  folder: string,
  progress: (line: string) => void,
): Promise<CheckedServer> {
  const { tools, faults } = await readFixtureServer(name);
  const callsFile = join(folder, name);
  const begunMs = performance.now();
  const said = await checkOrReason(name, callsFile, progress);
  const seconds = (performance.now() - begunMs) / 1_000;
  progress(`${name}: ${seconds.toFixed(1)} s`);
  const calls = existsSync(callsFile) ? readFileSync(callsFile, 'utf8').split('\n').slice(0, -1) : [];
  return {
    server: name,
    tools: tools.map(({ definition, changes = false }) => ({ name: definition.name, changes })),
    faults,
    calls,
    seconds,
    ...said,
  };
}

async function checkOrReason(
  name: string,
  callsFile: string,
  progress: (line: string) => void,
): Promise<Pick<CheckedServer, 'findings' | 'leftOut' | 'failed'>> {
  const entry = {
    kind: 'stdio',
    name,
    domain: undefined,
    command: process.execPath,
    args: [join(serversFolder, 'run.ts'), name],
    env: { CALLS_FILE: callsFile },
    cwd: root,
  } as const;
  try {
    const probed = await probeServer(entry, { allows, static: false, progress });
    return {
      findings: [...listDefinitionFindings([probed.listed]), ...probed.findings],
      leftOut: probed.tools.flatMap(({ tool, effect }) =>
        isEffectWithinLimit(effect, allows) ? [] : [tool.slice(name.length + 1)],
      ),
      failed: null,
    };
  } catch (error) {
    return { findings: [], leftOut: [], failed: errorText(error) };
  }
}
