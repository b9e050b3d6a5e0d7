import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findChromium } from '../tests/support/chromium.ts';

const makeModulePath = (name: string): string => join(import.meta.dirname, '../node_modules', name);
const node = process.execPath;
/** `npm run verify`: runs every check that `npm test` does not, one after another, and stops at the first failure. */
const checks: readonly (readonly [string, ...string[]])[] = [
  ['format', node, makeModulePath('oxfmt/bin/oxfmt'), '--check'],
  ['lint', node, makeModulePath('oxlint/bin/oxlint'), '--type-aware'],
  ['types', node, makeModulePath('typescript/bin/tsc'), '-p', '.'],
  ['types of the pages', node, makeModulePath('typescript/bin/tsc'), '-p', 'web'],
  ['words of the glossary', node, 'scripts/glossary.ts'],
  ['unused code', node, makeModulePath('knip/bin/knip.js')],
  ['OpenAPI document', node, 'scripts/openapi.ts'],
  ['prompts', node, 'scripts/prompts.ts', '--check'],
  ['tables of documents', node, 'scripts/tables.ts', '--check'],
  ['page of errors', node, 'scripts/error-pages.ts', '--check'],
  [
    'deployment, dry',
    node,
    makeModulePath('wrangler/bin/wrangler.js'),
    'deploy',
    '--dry-run',
    '--outdir',
    '.wrangler/dry-run',
  ],
  ['measurements, at their smallest', node, 'scripts/try-benches.ts'],
  ['conformance of our MCP servers', node, 'tests/conformance/run.ts'],
  ['startup time', node, 'scripts/startup-time.ts'],
  [
    'rankings and limits in redis-server',
    node,
    makeModulePath('vitest/vitest.mjs'),
    'run',
    '--config',
    'vitest.redis.config.ts',
  ],
  ['system tests', node, makeModulePath('vitest/vitest.mjs'), 'run', '--config', 'vitest.system.config.ts'],
  // They need programs of others: only where a folder with them is named.
  ...(process.env['SEXTANT_AGENTS'] === undefined
    ? []
    : ([
        [
          'command-line agents',
          node,
          makeModulePath('vitest/vitest.mjs'),
          'run',
          '--config',
          'vitest.agents.config.ts',
        ],
      ] as const)),
];

if (spawnSync('redis-server', ['--version']).error !== undefined) {
  console.error(
    'npm run verify needs redis-server on PATH: install it, on Debian with `apt-get install redis-server`.',
  );
  process.exit(1);
}

try {
  findChromium();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

for (const [name, command = '', ...args] of checks) {
  const start = Date.now();
  console.log(`\n--- ${name}`);
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  });
  if (status !== 0) {
    console.error(`${name}: failed`);
    process.exit(1);
  }
  console.log(`${name}: ok (${((Date.now() - start) / 1000).toFixed(1)} s)`);
}
