import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { answered, listen, type Handler } from './http-control.ts';
import { redisScript } from './redis-script.ts';
import { startRedisServer, type RunningRedis } from './redis-server.ts';
import type { RedisConnection } from './resp.ts';

const command = z.array(z.union([z.string(), z.number(), z.boolean()]).transform(String)).min(1);
const commands = z.array(command);

interface Database {
  readonly connection: RedisConnection;
  readonly requests: string[];
  rules: { skip: number; left: number; rule: z.infer<typeof redisScript>[number] }[];
}

/** Where the tests keep Redis data: in this process, or in a redis-server. */
export type RedisKind = 'memory' | 'server';

const token = 'token-of-the-database';

/**
 * Puts a Redis, started for the first database, behind the REST protocol of Upstash. `POST /databases` makes a database that holds
 * nothing; its address is `/databases/<id>/rest`, `POST /databases/<id>/script` tells it to misbehave, `GET /databases/<id>` says what
 * it was asked.
 */
export async function startRedisRest(kind: RedisKind): Promise<{ readonly url: string; close(): Promise<void> }> {
  let redis: Promise<RunningRedis> | null = null;
  const databases = new Map<string, Database>();
  const handler: Handler = async ({ method, path, body, request, response }) => {
    const [root, id = '', verb, operation] = path;
    if (root !== 'databases') throw new Error(`nothing is at ${path.join('/')}`);
    if (method === 'POST' && id === '') {
      const made = String(databases.size);
      redis ??= started(kind);
      const connection = await (await redis).connect(made);
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
      // A server that did not start has nothing to close.
      await (await redis?.catch(() => null))?.close();
    },
  };
}

/** Most test files need no Redis, so the Lua interpreter is loaded on demand. */
async function started(kind: RedisKind): Promise<RunningRedis> {
  if (kind === 'server') return startRedisServer();
  const { startRedisInMemory } = await import('./redis-in-memory.ts');
  return startRedisInMemory();
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
    reply instanceof Error ? { error: reply.message } : { result: shown(reply, base64) },
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

/**
 * Digests of scripts as clients compute them, and as Redis 7.0 does, which does not support a first line with flags.
 */
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

/** A reply in transport form; nested errors are their texts. */
function shown(reply: unknown, base64: boolean, top = true): unknown {
  if (Array.isArray(reply)) return reply.map((each) => shown(each, base64, false));
  if (reply instanceof Error) return shown(reply.message, base64, false);
  if (typeof reply !== 'string' || !base64 || (top && reply === 'OK')) return reply;
  return Buffer.from(reply).toString('base64');
}

const send = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
