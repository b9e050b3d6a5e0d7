import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRedisInMemory } from '../support/redis-in-memory.ts';
import { startRedisServer, type RunningRedis } from '../support/redis-server.ts';
import { RedisError, type RedisConnection, type Reply } from '../support/resp.ts';

/** Whether the Redis in memory, which `npm test` uses, answers as a redis-server does. */

const running: RunningRedis[] = [];
let pair: readonly [RedisConnection, RedisConnection];
beforeAll(async () => {
  running.push(await startRedisServer(), await startRedisInMemory());
  const [server, memory] = await Promise.all(running.map((redis) => redis.connect('0')));
  if (server === undefined || memory === undefined) throw new Error('two are started');
  pair = [server, memory];
});
afterAll(async () => {
  await Promise.all(running.map((redis) => redis.close()));
});

const key = fc.constantFrom('a', 'b', 'c');
const member = fc.constantFrom('x', 'y', 'Z', 'ä', '🧭', '\uffee', '');
const members = fc.array(member, { minLength: 1, maxLength: 3 });
const whole = fc.constantFrom('0', '1', '2', '5', '-1', '-2', '-9', 'x', '01');
const score = fc.constantFrom('0', '-0', '1', '0.5', '-2.5', '1e-17', '3e3', '+inf', '-inf', 'inf', 'x', '');
const scored = fc.array(fc.tuple(score, member), { minLength: 1, maxLength: 3 }).map((all) => all.flat());
const fields = fc.array(fc.tuple(member, member), { minLength: 1, maxLength: 3 }).map((all) => all.flat());
const limit = fc
  .tuple(fc.constantFrom('', '('), fc.constantFrom('0', '1', '0.5', '-2.5', '1e-17', '+inf', '-inf', 'x'))
  .map((parts) => parts.join(''));
const limits = fc.oneof(fc.constant<string[]>([]), fc.tuple(fc.constant('LIMIT'), whole, whole));

const named = (name: string, ...parts: fc.Arbitrary<string | string[]>[]): fc.Arbitrary<string[]> =>
  fc.tuple(...parts).map((all) => [name, ...all.flat()]);
const command = fc.oneof(
  named('SET', key, member),
  named('GET', key),
  named('INCR', key),
  named('INCRBY', key, whole),
  named('DEL', key, key),
  named('UNLINK', key),
  named('EXPIRE', key, fc.constantFrom('100', '-1', 'x')),
  named('PERSIST', key),
  named('TTL', key),
  named('DBSIZE'),
  named('KEYS', fc.constant('*')),
  named('HSET', key, fields),
  named('HGET', key, member),
  named('HMGET', key, members),
  named('HLEN', key),
  named('HDEL', key, members),
  named('SADD', key, members),
  named('SISMEMBER', key, member),
  named('SMISMEMBER', key, members),
  named('ZADD', key, scored),
  named('ZREM', key, members),
  named('ZCARD', key),
  named('ZSCORE', key, member),
  named('ZMSCORE', key, members),
  named('ZRANK', key, member),
  named('ZRANGE', key, whole, whole),
  named('ZREVRANGEBYSCORE', key, limit, limit, limits),
  named('ZADD', key),
);

/** Normalizes replies: a command may have several errors, and Redis 7.0 writes scores with more digits than necessary. */
function comparable([name = '']: readonly string[], reply: Reply): unknown {
  if (reply instanceof RedisError) return 'an error';
  if (Array.isArray(reply)) {
    const items = reply.map((each) => comparable([name], each));
    return name === 'KEYS' ? items.toSorted() : items;
  }
  const isScore = typeof reply === 'string' && (name === 'ZSCORE' || name === 'ZMSCORE') && reply !== 'QUEUED';
  return isScore && !reply.includes('inf') ? Number(reply) : reply;
}

/** Sends commands one after the other to each. */
async function bothAnswer(commands: readonly (readonly string[])[]): Promise<void> {
  const [server, memory] = await Promise.all(
    pair.map(async (connection) => {
      const replies = await Promise.all(connection.send(commands));
      return commands.map((each, at) => comparable(each, replies[at] ?? null));
    }),
  );
  expect(memory).toEqual(server);
}

test('both Redis servers answer commands alike in any state', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 40 }), (commands) => bothAnswer([['FLUSHDB'], ...commands])),
    { numRuns: 1_000 },
  );
});

test('both Redis servers answer a transaction alike', () =>
  bothAnswer([['FLUSHDB'], ['MULTI'], ['SET', 'a', '1'], ['INCR', 'a'], ['HLEN', 'a'], ['EXEC'], ['GET', 'a']]));

test.each([
  ['values of every kind', "return {'a', 1, 2.9, -2.9, {1, {'x'}}, false, true, 'z'}"],
  ['nothing', 'local a = 1'],
  ['an error of its own', "return {err = 'MINE went wrong'}"],
  ['a status', "return {ok = 'FINE'}"],
  ['what it was given', 'return {KEYS[1], KEYS[2], ARGV[1], #ARGV}'],
  ['numbers in commands', "redis.call('SET', 'n', 3); redis.call('INCRBY', 'n', 7 * 2); return redis.call('GET', 'n')"],
  [
    'what a command does not find',
    "return {redis.call('GET', 'none') == false, redis.call('HMGET', 'h', 'x', 'y')[2] == false}",
  ],
  ['an error of a command', "redis.call('SET', 'n', 'x'); return redis.call('INCR', 'n')"],
  ['a global that it makes', 'made = 1'],
  ['a global that nobody made', 'return unknown'],
  ['a syntax error', 'return ('],
  [
    'JSON in',
    `local all = cjson.decode('[[1, 2.5, "ä", true, {"b": [false]}]]')[1]; return {all[3], #all, all[5].b[1] == false}`,
  ],
  ['JSON out', `return cjson.encode({1, 0.5, 123456, 'ä"\\\\', true, {a = {false}}, {}})`],
  ['JSON that is none', "return cjson.decode('[')"],
  ['bytes', "return {#'ä', string.sub('äb', 3), string.sub(KEYS[1], 1, -2)}"],
])('both Redis servers answer a script alike: %s', async (_what, script) => {
  const evaluated = ['EVAL', script, '2', 'first', 'second', 'an argument'];
  const digest = createHash('sha1').update(script).digest('hex');
  await bothAnswer([['FLUSHDB'], evaluated, ['EVALSHA', digest, ...evaluated.slice(2)], ['EVALSHA', 'ff', '0']]);
});
