import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { redisConnection, type RedisConnection } from './resp.ts';

export interface RunningRedis {
  /** Returns a connection to an empty database. */
  connect(database: string): Promise<RedisConnection>;
  close(): Promise<void>;
}

const databasesAtMost = 500;
const missing =
  'redis-server is not installed or not on PATH: install it, on Debian with `apt-get install redis-server`';
const isMissing = (error: Error): boolean => 'code' in error && error.code === 'ENOENT';

/** Debian's redis-server on a separate socket, without disk storage. */
export async function startRedisServer(): Promise<RunningRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-'));
  const socket = join(folder, 'socket');
  const settings = {
    port: '0',
    unixsocket: socket,
    save: '',
    appendonly: 'no',
    dir: folder,
    databases: String(databasesAtMost),
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(isMissing(error) ? new Error(missing) : error));
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // It is killed at the end, so only an earlier end is a failure.
  failed.catch(() => undefined);
  const die = () => void child.kill('SIGKILL');
  process.once('exit', die);
  const close = async () => {
    process.off('exit', die);
    // Without an id it never ran, and no exit event will follow.
    if (child.pid !== undefined && child.kill('SIGKILL')) await ended;
    await rm(folder, { recursive: true });
  };
  try {
    const first = await Promise.race([connected(socket), failed]);
    first.close();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async connect(database: string): Promise<RedisConnection> {
      const connection = await redisConnection(socket);
      await Promise.all(connection.send([['SELECT', database], ['FLUSHDB']]));
      return connection;
    },
    close,
  };
}

async function connected(socket: string): Promise<RedisConnection> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await redisConnection(socket);
    } catch (error) {
      // It takes a moment to listen.
      if (attempt === 100) throw error;
      await sleep(50);
    }
  }
}
