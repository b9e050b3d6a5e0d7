import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

/** A library that makes the same attempts without keeping anything, on the same stubs: what our own time is compared with. */

const peer = '@mcpjam/sdk@1.14.0';
/** The peer asks for any later one, and breaks with those since the beta. */
const beside = '@modelcontextprotocol/client@2.0.0-alpha.2';
const run = promisify(execFile);

export interface PeerAttempt {
  /** The address of its only server. */
  readonly server: string;
  readonly request: string;
}

/** Installs the peer outside of the repository, once, and returns where. */
export async function installPeer(): Promise<string> {
  const folder = join(tmpdir(), `sextant-bench-${peer.replaceAll(/\W+/g, '-')}`);
  if (!existsSync(join(folder, 'node_modules/@mcpjam/sdk')))
    await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', peer, beside]);
  return folder;
}

/** Lets the peer make attempts, some at once, each with a session of its own, and returns how long they took together, in ms. */
export async function measurePeerMs(
  folder: string,
  work: { readonly models: string; readonly concurrency: number; readonly attempts: readonly PeerAttempt[] },
): Promise<number> {
  const { stdout } = await run(process.execPath, [
    join(import.meta.dirname, 'peer-process.ts'),
    folder,
    JSON.stringify(work),
  ]);
  return z.object({ wallMs: z.number() }).parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).wallMs;
}
