import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { LocalServer } from './serve-locally.ts';

/** Finds a port of this machine that nobody uses. */
async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts `@modelcontextprotocol/server-everything` in a process of its own, over Streamable HTTP. */
export async function startEverythingProcess(): Promise<LocalServer> {
  const port = await findFreePort();
  const folder = dirname(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json'),
  );
  const server = spawn(process.execPath, [join(folder, 'dist/index.js'), 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (text: Buffer) => text.includes('listening') && resolve());
    server.once('exit', (code) => reject(new Error(`server-everything ended with ${code}`)));
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      server.kill('SIGKILL');
      await ended;
    },
  };
}
