import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { answered, listen, type Handler } from './http-control.ts';
import { redisScript } from './redis-script.ts';
import { RedisError, redisConnection, type RedisConnection } from './resp.ts';

const command = z.array(z.union([z.string(), z.number(), z.boolean()]).transform(String)).min(1);
const commands = z.array(command);

interface Database {
  readonly connection: RedisConnection;
  readonly requests: string[];
  rules: { skip: number; left: number; rule: z.infer<typeof redisScript>[number] }[];
}

const token = 'token-of-the-database';
const databasesAtMost = 500;

/**
 * A real Redis behind the REST protocol of Upstash. `POST /databases` makes a database that holds nothing; its address is
 * `/databases/<id>/rest`, `POST /databases/<id>/script` tells it to misbehave, `GET /databases/<id>` says what it was asked.
 */
export async function startRedisRest(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const redis = await startRedis();
  const databases = new Map<string, Database>();
  const handler: Handler = async ({ method, path, body, request, response }) => {
    const [root, id = '', verb, operation] = path;
    if (root !== 'databases') throw new Error(`nothing is at ${path.join('/')}`);
    if (method === 'POST' && id === '') {
      const made = String(databases.size);
      const connection = await redis.connect(made);
      databases.set(made, { connection, requests: [], rules: [] });
      return { url: `http://${request.headers.host}/databases/${made}/rest`, token };
    }
    const database = databases.get(id);
    if (database === undefined) throw new Error(`there is no database ${id}`);
    if (method === 'GET') return database.requests;
    if (verb === 'script') {
      database.rules = redisScript.parse(body).map((rule) => ({ skip: rule.skip, left: rule.times ?? Infinity, rule }));
      return null;
    }
    if (request.headers.authorization !== `Bearer ${token}`) {
      send(response, 401, { error: 'Unauthorized' });
      return answered;
    }
    const base64 = request.headers['upstash-encoding'] === 'base64';
    await serve(database, operation ?? '', body, base64, response);
    return answered;
  };
  const server = await listen(handler);
  return {
    url: server.url,
    close: async () => {
      await server.close();
      for (const { connection } of databases.values()) connection.close();
      await redis.close();
    },
  };
}

async function serve(database: Database, operation: string, body: unknown, base64: boolean, response: ServerResponse) {
  const text = JSON.stringify(body);
  database.requests.push(text);
  const fitting = database.rules.filter(({ left, rule }) => left > 0 && text.includes(rule.command ?? ''));
  const found = fitting.find((each) => {
    each.skip -= 1;
    return each.skip < 0;
  });
  if (found === undefined) return answer(database, operation, body, base64, response);
  found.left -= 1;
  const { behaviour } = found.rule;
  switch (behaviour.kind) {
    case 'hang':
      return;
    case 'status':
      return send(response, behaviour.status, { error: behaviour.error });
    case 'body':
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(behaviour.text);
    case 'cut':
      if (behaviour.when === 'after') await run(database.connection, operation, body);
      return void response.destroy();
  }
}

async function answer(
  { connection }: Database,
  operation: string,
  body: unknown,
  base64: boolean,
  response: ServerResponse,
): Promise<void> {
  const replies = await run(connection, operation, body);
  const bodies = replies.map((reply) =>
    reply instanceof RedisError ? { error: reply.message } : { result: shown(reply, base64) },
  );
  if (operation !== '') return send(response, 200, bodies);
  const [only] = bodies;
  send(response, only !== undefined && 'error' in only ? 400 : 200, only);
}

async function run(connection: RedisConnection, operation: string, body: unknown): Promise<unknown[]> {
  if (operation === '') return Promise.all(connection.send([understood(command.parse(body))]));
  const all = commands.parse(body).map(understood);
  if (operation === 'pipeline') return Promise.all(connection.send(all));
  if (operation !== 'multi-exec') throw new Error(`there is no operation ${operation}`);
  const replies = await Promise.all(connection.send([['MULTI'], ...all, ['EXEC']]));
  return z.array(z.unknown()).parse(replies.at(-1));
}

/** Digests of scripts as they came, and as Redis 7.0 has them: it knows no first line with flags. */
const stripped = new Map<string, string>();

function understood([name = '', first = '', ...rest]: readonly string[]): string[] {
  const verb = name.toLowerCase();
  if (verb === 'evalsha') return [name, stripped.get(first) ?? first, ...rest];
  if (verb !== 'eval') return first === '' && rest.length === 0 ? [name] : [name, first, ...rest];
  const script = first.replace(/^#![^\n]*\n/, '');
  stripped.set(sha1(first), sha1(script));
  return [name, script, ...rest];
}

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

/** A reply as it goes over the wire; errors inside of one are their texts. */
function shown(reply: unknown, base64: boolean, top = true): unknown {
  if (Array.isArray(reply)) return reply.map((each) => shown(each, base64, false));
  if (reply instanceof RedisError) return shown(reply.message, base64, false);
  if (typeof reply !== 'string' || !base64 || (top && reply === 'OK')) return reply;
  return Buffer.from(reply).toString('base64');
}

const send = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Debian's redis-server on a socket of its own, without anything on disk. */
async function startRedis() {
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
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // It is ended at the end: only an end before it listens is a failure.
  failed.catch(() => undefined);
  const die = () => void child.kill('SIGKILL');
  process.once('exit', die);
  const connected = async (): Promise<RedisConnection> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await redisConnection(socket);
      } catch (error) {
        // It takes a moment to listen.
        if (attempt === 100) throw error;
        await sleep(50);
      }
    }
  };
  const first = await Promise.race([connected(), failed]);
  first.close();
  return {
    async connect(database: string): Promise<RedisConnection> {
      const connection = await redisConnection(socket);
      await Promise.all(connection.send([['SELECT', database], ['FLUSHDB']]));
      return connection;
    },
    async close() {
      process.off('exit', die);
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
