import { createHash } from 'node:crypto';
import { RedisLua } from './redis-lua.ts';
import { RedisMemory } from './redis-memory.ts';
import type { RunningRedis } from './redis-server.ts';
import { RedisError, type Reply } from './resp.ts';

/**
 * A Redis inside this process, for machines that have none: commands on values in memory, and scripts run by a Lua interpreter from npm.
 * `npm run verify` runs the same tests against redis-server, and compares the two command by command.
 */
export function startRedisInMemory(): Promise<RunningRedis> {
  const lua = new RedisLua();
  /** By digest; shared by all databases, as in Redis. */
  const scripts = new Map<string, string>();

  const evaluated = (db: RedisMemory, script: string, rest: readonly string[]): Reply => {
    const [count = '', ...all] = rest;
    const keys = Number(count);
    return lua.run(script, all.slice(0, keys), all.slice(keys), (name, args) => db.run(name, args));
  };
  const run = (db: RedisMemory, [name = '', ...args]: readonly string[]): Reply => {
    const [first = '', ...rest] = args;
    try {
      switch (name.toLowerCase()) {
        case 'eval':
          scripts.set(createHash('sha1').update(first).digest('hex'), first);
          return evaluated(db, first, rest);
        case 'evalsha': {
          const script = scripts.get(first.toLowerCase());
          if (script === undefined) throw new RedisError('NOSCRIPT No matching script. Please use EVAL.');
          return evaluated(db, script, rest);
        }
        default:
          return db.run(name, args);
      }
    } catch (error) {
      if (error instanceof RedisError) return error;
      throw error;
    }
  };

  return Promise.resolve({
    connect: () => {
      const db = new RedisMemory();
      let queued: (readonly string[])[] | null = null;
      const answer = (command: readonly string[]): Reply => {
        const [name = ''] = command;
        if (name.toLowerCase() === 'multi') {
          queued = [];
          return 'OK';
        }
        if (queued === null) return run(db, command);
        if (name.toLowerCase() !== 'exec') {
          queued.push(command);
          return 'QUEUED';
        }
        const all = queued;
        queued = null;
        return all.map((each) => run(db, each));
      };
      return Promise.resolve({
        send: (commands) => commands.map((command) => Promise.resolve(answer(command))),
        close: () => db.clear(),
      });
    },
    close: () => Promise.resolve(),
  });
}
